import { execFileSync } from "node:child_process";
import { constants, lstatSync, openSync } from "node:fs";
import { onTestFinished } from "vitest";
import { drive, type Network } from "../src/kernel/drive.js";
import { close, perform, type Descriptor, type Work, type Syscall } from "../src/kernel/syscalls.js";

const noNetwork: Network = {
  call: () => Promise.reject(new Error("no network mount here")),
  release: () => {},
};

/** Drives steps that are all local. */
export function runHere<T>(work: Work<T>, signal?: AbortSignal): Promise<T> {
  return drive(work, noNetwork, signal);
}

/** A folder held open, closed after the test. */
export function hold(path: string): Descriptor {
  const folder = { fd: openSync(path, 0o10000000 | constants.O_DIRECTORY | constants.O_NOFOLLOW), mount: null };
  onTestFinished(() => runHere(close(folder)));
  return folder;
}

export function statOf(path: string) {
  const { dev, ino, mode, nlink, uid, gid, size, blocks, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
  return { dev, ino, mode, nlink, uid, gid, size, blocks, mtimeNs, ctimeNs };
}

const DEEP = `
const fs = require("node:fs");
const [, root, depth] = process.argv;
process.chdir(root);
for (let at = 0; at < Number(depth); at++) { fs.mkdirSync("deeper"); process.chdir("deeper"); }
fs.writeFileSync("bottom", "bottom");
`;

/** A chain of folders far deeper than any path could name, with a file at its end. */
export function plantDeep(root: string, depth: number): void {
  execFileSync(process.execPath, ["-e", DEEP, root, String(depth)]);
}

/** Makes each call once it was shown; what that throws is the kernel's answer. */
export function runWatched<T>(work: Work<T>, before: (call: Syscall) => void): T {
  let step = work.next();
  while (!step.done) {
    let value: unknown;
    try {
      before(step.value);
      value = perform(step.value);
    } catch (thrown) {
      step = work.throw(thrown);
      continue;
    }
    step = work.next(value);
  }
  return step.value;
}
