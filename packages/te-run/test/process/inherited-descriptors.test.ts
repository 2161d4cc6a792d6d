import { spawnSync, type SpawnSyncOptions } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";

// Node opens everything with O_CLOEXEC, so only another process can be given a descriptor without it. It runs the source
// with its types taken out.
const dir = mkdtempSync(join(tmpdir(), "inherited-"));
const main = join(dir, "main.mjs");
let open: number;

beforeAll(() => {
  const source = readFileSync(
    fileURLToPath(new URL("../../src/process/inherited-descriptors.ts", import.meta.url)),
    "utf8",
  );
  const { outputText } = ts.transpileModule(source, { compilerOptions: { target: ts.ScriptTarget.ES2023 } });
  writeFileSync(join(dir, "inherited-descriptors.mjs"), outputText);
  writeFileSync(
    main,
    `import { closeSync } from "node:fs";
     import { spawnSync } from "node:child_process";
     import { inheritedDescriptors } from "./inherited-descriptors.mjs";
     const found = inheritedDescriptors();
     for (const fd of found) closeSync(fd);
     const left = spawnSync("ls", ["/proc/self/fd"], { encoding: "utf8" }).stdout.trim().split("\\n").map(Number);
     const seen = JSON.stringify({ found, again: inheritedDescriptors(), left });
     if (process.send === undefined) console.log(seen); else process.send(seen, () => process.disconnect());`,
  );
  open = openSync(main, "r");
});
afterAll(() => {
  closeSync(open);
  rmSync(dir, { recursive: true });
});

function inspect(options: SpawnSyncOptions, command = process.execPath, args = [main]): unknown {
  const { stdout, stderr } = spawnSync(command, args, { encoding: "utf8", ...options });
  if (stdout === "") throw new Error(String(stderr));
  return JSON.parse(String(stdout));
}

/** stdio with descriptors only there. The gap matters: Node itself sets O_CLOEXEC on what it was given, to the first gap. */
function given(...fds: number[]): (number | "ignore" | "pipe")[] {
  const stdio = Array<number | "ignore" | "pipe">(Math.max(2, ...fds) + 1).fill("ignore");
  stdio[1] = stdio[2] = "pipe";
  for (const fd of fds) stdio[fd] = open;
  return stdio;
}

/** What whoever started these tests gave to us, and we give to everybody; 3 is the folder that ls lists. */
const listing = spawnSync("ls", ["/proc/self/fd"], { encoding: "utf8" }).stdout.trim().split("\n").map(Number);
const ambient = listing.filter((fd) => fd > 3).toSorted((a, b) => a - b);
const clean = { again: [], left: [0, 1, 2, 3] };

test("a process that was given nothing has nothing to close", () => {
  expect(inspect({ stdio: given() })).toEqual({ found: ambient, ...clean });
});

test("what a careless parent left open is found, and closing it ends the leak without harm to Node", () => {
  expect(inspect({ stdio: given(20, 21, 30) })).toEqual({ found: [20, 21, 30, ...ambient], ...clean });
});

test("the sockets that systemd hands over are ours", () => {
  const env = { ...process.env, LISTEN_FDS: "18" };
  const script = `LISTEN_PID=$$ exec "$0" "$1"`;
  const shell = ["-c", script, process.execPath, main];
  expect(inspect({ env, stdio: given(20, 21) }, "/bin/sh", shell)).toMatchObject({ found: [21, ...ambient] });
});

test("LISTEN_FDS that was meant for another process protects nothing", () => {
  const env = { ...process.env, LISTEN_FDS: "18", LISTEN_PID: "1" };
  expect(inspect({ env, stdio: given(20, 21) })).toMatchObject({ found: [20, 21, ...ambient] });
});

test("the channel to a Node parent is not listed", () => {
  const script = `
    const stdio = ["ignore", 1, 2, ...Array(27).fill("ignore")];
    stdio[20] = require("node:fs").openSync(process.argv[1]);
    stdio[25] = "ipc";
    require("node:child_process").fork(process.argv[1], { stdio })
      .on("message", (seen) => console.log(seen))`;
  expect(inspect({ stdio: given() }, process.execPath, ["-e", script, main])).toMatchObject({
    found: [20, ...ambient],
  });
});
