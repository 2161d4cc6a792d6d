import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { freshPlace, MAIN, request, runToEnd, startServer, type Running } from "./processes.js";

const sh = promisify(execFile);

const lineOf = (running: Running, program: string) =>
  running.screen().match(new RegExp(`^ +(${program} .*)$`, "m"))?.[1] ?? "";

test.each(["root", 'it\'s $HOME `id` "x" '])(
  "the printed curl line works unchanged in a shell, for a root named %j",
  async (name) => {
    const { home, root } = await freshPlace(name);
    const running = await startServer({ home, args: ["--root", root] });
    const { stdout } = await sh("sh", ["-c", lineOf(running, "curl")]);
    expect(JSON.parse(stdout)).toMatchObject({
      data: { content: "# Hello\n\nsecond line\n" },
      meta: { correlation_id: expect.any(String) },
    });
  },
);

test("where the root has no file to read, the curl line asks for the health of the server", async () => {
  const { home } = await freshPlace();
  const empty = join(home, "empty");
  await mkdir(empty);
  const running = await startServer({ home, args: ["--root", empty] });
  const { stdout } = await sh("sh", ["-c", lineOf(running, "curl")]);
  expect(JSON.parse(stdout)).toMatchObject({ data: expect.any(Object), meta: { correlation_id: expect.any(String) } });
});

test("the printed claude line reaches claude as the words it needs", async () => {
  const { home, root } = await freshPlace();
  const running = await startServer({ home, args: ["--root", root] });
  const bin = join(home, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "claude"), '#!/bin/sh\nfor word in "$@"; do printf "%s\\n" "$word"; done\n');
  await chmod(join(bin, "claude"), 0o755);
  const { stdout } = await sh("sh", ["-c", lineOf(running, "claude")], {
    env: { PATH: `${bin}:${process.env["PATH"]}` },
  });
  expect(running.token).not.toBe("");
  expect(stdout.trimEnd().split("\n")).toEqual([
    "mcp",
    "add",
    "--transport",
    "http",
    "linuxops",
    `${running.base}/mcp`,
    "--header",
    `Authorization: Bearer ${running.token}`,
  ]);
});

test("the token is made once, kept with mode 0600, and the same after a restart", async () => {
  const { home, root } = await freshPlace();
  const first = await startServer({ home, args: ["--root", root] });
  first.child.kill("SIGTERM");
  expect(await first.ended()).toBe(0);
  const path = join(home, ".local/state/llmc/token");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await readFile(path, "utf8")).trim()).toBe(first.token);
  const second = await startServer({ home, args: ["--root", root] });
  expect(second.token).toBe(first.token);
  expect(await runToEnd({ home, args: ["--show-token"] })).toEqual({ code: 0, stdout: `${first.token}\n`, stderr: "" });
});

test("--new-token replaces the kept one, and the old one no longer opens anything", async () => {
  const { home, root } = await freshPlace();
  const { stdout: old } = await runToEnd({ home, args: ["--show-token"] });
  const running = await startServer({ home, args: ["--new-token", "--root", root] });
  expect(running.token).not.toBe(old.trim());
  const headers = { authorization: `Bearer ${old.trim()}` };
  expect((await request(running, "/tool", { method: "POST", headers })).status).toBe(401);
});

test("a token of the operator's own is not shown; the lines name its variable", async () => {
  const { home, root } = await freshPlace();
  const env = { LLMC_MCP_TOKEN: "operator-token-0123456789" };
  const running = await startServer({ home, args: ["--root", root], env });
  expect(running.screen()).not.toContain(env.LLMC_MCP_TOKEN);
  const { stdout } = await sh("sh", ["-c", lineOf(running, "curl")], { env: { ...process.env, ...env } });
  expect(JSON.parse(stdout)).toMatchObject({ data: { content: "# Hello\n\nsecond line\n" } });
});

const hasScript = spawnSync("script", ["--version"]).status === 0;

test.skipIf(!hasScript)(
  "the token is shown in a terminal, beside the start in one line, and never in a log (skipped without script)",
  async () => {
    const { home, root } = await freshPlace();
    const service = await startServer({ home, args: ["--root", root] });
    expect(service.screen()).not.toContain(service.token);
    const config = service
      .screen()
      .split("\n")
      .find((line) => line.includes('"configuration"'));
    expect(JSON.parse(config ?? "")).toMatchObject({ config: { roots: [root], mcp: { server: { port: 0 } } } });
    expect(service.screen()).not.toMatch(/ · config none · /);

    const command = [process.execPath, MAIN, "--port", "0", root].map((word) => `'${word}'`).join(" ");
    const child = spawn("script", ["-qefc", `exec ${command}`, "/dev/null"], {
      env: { PATH: process.env["PATH"] ?? "", HOME: home },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let screen = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (screen += chunk));
    await expect.poll(() => screen, { timeout: 20_000, interval: 20 }).toContain("ctrl-c ends it");
    expect(screen).toContain(service.token);
    expect(screen).toMatch(/^llmc-mcp-http: \S+ · config none · data \S+ · roots \S+ · mcp\.server\.port = 0\r?$/m);
    expect(screen).not.toContain('"configuration"');
    child.stdin.write("\u0003");
    await once(child, "close");
  },
);

test("what stands on screen is plain text where stderr is no terminal", async () => {
  const { home, root } = await freshPlace();
  const running = await startServer({ home, args: ["--root", root] });
  // oxlint-disable-next-line no-control-regex
  expect(running.screen()).not.toMatch(/\u001b/);
  expect(running.screen()).toMatch(/^ {2}State +(better-sqlite3|node:sqlite|memory)/m);
});

test("--default-root is the root where no other is configured, taken from the caller's own folder", async () => {
  const { home, root } = await freshPlace();
  const args = ["--default-root", "."];
  const alone = await startServer({ home, args, env: { INIT_CWD: root } });
  expect(alone.screen()).toMatch(new RegExp(`Roots +${root}$`, "m"));
  const other = await startServer({ home, args, env: { INIT_CWD: root, LLMC_ROOTS: "/usr/share" } });
  expect(other.screen()).toMatch(/Roots +\/usr\/share$/m);
});
