import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connectTo, freshPlace, INITIALIZE, initialize, MAIN, surroundings } from "./processes.js";

test("it ends with 0 when its input closes, with nothing running", async () => {
  const { home, root } = await freshPlace();
  const client = connectTo({ home, args: ["--root", root] });
  await initialize(client);
  client.child.stdin.end();
  expect(await client.ended()).toBe(0);
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("it ends with 0 at %s", async (signal) => {
  const { home, root } = await freshPlace();
  const client = connectTo({ home, args: ["--root", root] });
  await initialize(client);
  client.child.kill(signal);
  expect(await client.ended()).toBe(0);
});

test("it ends with 0 when its client no longer reads", async () => {
  const { home, root } = await freshPlace();
  const client = connectTo({ home, args: ["--root", root] });
  await initialize(client);
  client.child.stdout.destroy();
  client.send({ jsonrpc: "2.0", id: 99, method: "tools/list" });
  expect(await client.ended()).toBe(0);
});

test("it ends when its parent is killed with -9, even if somebody else holds its input open", async () => {
  const { home, root } = await freshPlace();
  // The parent starts the server and prints its pid; the input comes from here, so it stays open when the parent dies.
  const script = [
    'const { spawn } = require("node:child_process");',
    `const child = spawn(process.execPath, ${JSON.stringify([MAIN, "--root", root])}, { stdio: [0, "pipe", "ignore"] });`,
    'child.stdout.once("data", () => process.stdout.write(String(child.pid)));',
    "setInterval(() => {}, 1000);",
  ].join("\n");
  const parent = spawn(process.execPath, ["-e", script], {
    env: surroundings(home),
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void parent.kill("SIGKILL"));
  parent.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  const [pid] = (await once(parent.stdout, "data")) as [Buffer];
  const server = `/proc/${String(pid)}`;
  expect(existsSync(server)).toBe(true);
  parent.kill("SIGKILL");
  await expect.poll(() => existsSync(server), { timeout: 20_000, interval: 50 }).toBe(false);
});

test("a crash is one line on stderr and exit code 1", async () => {
  const { home, root } = await freshPlace();
  const crash = 'process.once("SIGUSR2", () => { throw new Error("boom\\nsecond line"); });';
  const node = ["--import", `data:text/javascript,${encodeURIComponent(crash)}`];
  const client = connectTo({ home, args: ["--root", root], node });
  await initialize(client);
  const before = client.stderr();
  client.child.kill("SIGUSR2");
  expect(await client.ended()).toBe(1);
  const lines = client.stderr().slice(before.length).trimEnd().split("\n");
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ msg: expect.stringContaining("boom") });
});

const bash = ["/bin/bash", "/usr/bin/bash"].find((path) => existsSync(path));

// Node itself marks the first ones as not to be handed on; a number beyond a gap it does not see.
test.skipIf(bash === undefined)("descriptors that its parent left open are closed (skipped without bash)", async () => {
  const { home, root } = await freshPlace();
  const file = join(root, "README.md");
  const script = 'exec 40<"$1"; exec "$2" "$3"';
  const child = spawn(bash!, ["-c", script, "bash", file, process.execPath, MAIN], {
    env: surroundings(home),
    stdio: ["pipe", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  await once(child.stdout, "data");
  const open = await readdir(`/proc/${child.pid}/fd`);
  const targets = await Promise.all(open.map((fd) => readlink(`/proc/${child.pid}/fd/${fd}`).catch(() => "")));
  expect(targets).not.toContain(file);
});
