import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { openProcfs } from "../src/index.js";
import { isReadOfInput } from "../src/process/syscall.js";

test.each([
  ["0 0x0 0x7f44 0x1 0x7f44 0x1 0x0 0x7ffe 0x7f44", "x64", true],
  ["0 0x3 0x7f44 0x1 0x7f44 0x1 0x0 0x7ffe 0x7f44", "x64", false],
  ["270 0x1 0x7ffe 0x0 0x0 0x0 0x7ffe 0x7ffe 0x7f44", "x64", true],
  ["232 0xd 0x7ffe 0x400 0xffffffff 0x0 0x8 0x7ffe 0x7f44", "x64", false],
  ["running", "x64", false],
  ["63 0x0 0xffff 0x400 0x0 0x0 0x0 0xffff 0xffff", "arm64", true],
  ["63 0x0 0xffff", "s390x", undefined],
])("%s on %s is %s", (text, arch, expected) => {
  expect(isReadOfInput(text, arch)).toBe(expected);
});

test("a program that reads its input is told from one that does something else", async () => {
  const { processes } = openProcfs();
  const cat = spawn("cat", { stdio: ["pipe", "ignore", "ignore"] });
  const sleep = spawn("sleep", ["600"], { stdio: ["pipe", "ignore", "ignore"] });
  onTestFinished(() => [cat, sleep].forEach((child) => child.kill("SIGKILL")));
  await Promise.all([once(cat, "spawn"), once(sleep, "spawn")]);

  // A kernel that tells nothing of it answers undefined for both.
  const isTold = processes.waitsForInput(sleep.pid ?? 0) !== undefined;
  await expect.poll(() => processes.waitsForInput(cat.pid ?? 0), { timeout: 25_000 }).toBe(isTold ? true : undefined);
  expect(processes.waitsForInput(sleep.pid ?? 0)).toBe(isTold ? false : undefined);
  expect(processes.waitsForInput(2 ** 22 + 3)).toBeUndefined();
});
