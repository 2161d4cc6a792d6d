import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { byHandNote } from "../src/by-hand.js";
import { freshPlace, INITIALIZE, MAIN, surroundings } from "./processes.js";

test("the note shows how a client would start this very server", () => {
  const note = byHandNote({ version: "1.2.3", command: "/usr/bin/node", script: "/opt/it's/main.js", roots: ["/a b"] });
  const snippet = note.slice(note.indexOf("{"), note.lastIndexOf("}") + 1);
  expect(JSON.parse(snippet)).toEqual({
    mcpServers: { linuxops: { command: "/usr/bin/node", args: ["/opt/it's/main.js", "--root", "/a b"] } },
  });
  const line = note.match(/^ +claude (.*)$/m)?.[1] ?? "";
  const { stdout } = spawnSync("sh", ["-c", `printf '%s\\n' ${line}`], { encoding: "utf8" });
  expect(stdout.trimEnd().split("\n")).toEqual([
    "mcp",
    "add",
    "linuxops",
    "--",
    "/usr/bin/node",
    "/opt/it's/main.js",
    "--root",
    "/a b",
  ]);
});

test("without roots the snippet has a place for one", () => {
  expect(byHandNote({ version: "1", command: "node", script: "/main.js", roots: [] })).toContain('"/path/to/folder"');
});

const script = spawnSync("script", ["--version"]).status === 0;

// `script` gives it a terminal as stdin, stdout and stderr.
test.skipIf(!script)(
  "in a terminal it explains itself, serves, and ctrl-c ends it (skipped without script)",
  async () => {
    const { home, root } = await freshPlace();
    const command = [process.execPath, MAIN, "--root", root].map((word) => `'${word}'`).join(" ");
    const child = spawn("script", ["-qefc", `exec ${command}`, "/dev/null"], { env: surroundings(home) });
    onTestFinished(() => void child.kill("SIGKILL"));
    let screen = "";
    const shows = async (text: string) => {
      await expect.poll(() => screen, { timeout: 20_000, interval: 20 }).toContain(text);
    };
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (screen += chunk));
    await shows("ctrl-c ends it");
    expect(screen).toContain("claude_desktop_config.json");
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    await shows('"serverInfo"');
    child.stdin.write("\u0003");
    const [code] = (await once(child, "close")) as [number];
    expect(code).toBe(0);
  },
);
