import { chmodSync } from "node:fs";
import { close, fstat, hasCode, open, type Bytes, type Steps } from "../kernel/syscalls.js";
import { FOLDER } from "../path/root.js";

const OWNER = 0o700n;

/**
 * A folder can be emptied, or renamed into another, only by whoever may write to it. Returns the mode that it had;
 * undefined where it is none, or was writable.
 */
export function* makeWritable(path: Bytes): Steps<number | undefined> {
  try {
    const folder = yield* open(null, path, FOLDER);
    try {
      const { mode } = yield* fstat(folder);
      if ((mode & OWNER) === OWNER) return undefined;
      // By the descriptor: what has the name by now is not touched.
      chmodSync(`/proc/self/fd/${folder.fd}`, Number((mode & 0o7777n) | OWNER));
      return Number(mode & 0o7777n);
    } finally {
      yield* close(folder);
    }
  } catch (thrown) {
    if (hasCode(thrown, "ENOTDIR", "ELOOP", "ENOENT", "EPERM", "EACCES")) return undefined;
    throw thrown;
  }
}
