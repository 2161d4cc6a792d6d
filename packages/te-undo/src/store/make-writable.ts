import { chmodSync } from "node:fs";
import { FDS, close, fstat, hasCode, open, type Descriptor, type Steps, FOLDER, given } from "@llmc/te-path";
import type { Bytes } from "@llmc/names";

const OWNER = 0o700n;

/**
 * A folder can be emptied, or renamed into another, only by whoever may write to it. Returns the mode that it had;
 * undefined where it is none, or was writable, or is somebody else's.
 */
export function* makeWritable(path: Bytes): Steps<number | undefined> {
  try {
    return yield* withFolder(path, function* (folder) {
      const { mode } = yield* fstat(folder);
      if ((mode & OWNER) === OWNER) return undefined;
      setMode(folder, Number((mode & 0o7777n) | OWNER));
      return Number(mode & 0o7777n);
    });
  } catch (thrown) {
    if (hasCode(thrown, "ENOTDIR", "ELOOP", "ENOENT", "EPERM", "EACCES")) return undefined;
    throw thrown;
  }
}

/** Does something with a folder that needs it to be writable, and may have moved it to `moved` by then. */
export function* asWritable(path: Bytes, moved: Bytes, work: () => Steps<void>): Steps<void> {
  try {
    return yield* work();
  } catch (thrown) {
    const mode = hasCode(thrown, "EACCES") ? yield* makeWritable(path) : undefined;
    if (mode === undefined) throw thrown;
    yield* work();
    yield* withFolder(moved, (folder) => given(setMode(folder, mode)));
  }
}

function* withFolder<T>(path: Bytes, work: (folder: Descriptor) => Steps<T>): Steps<T> {
  const folder = yield* open(null, path, FOLDER);
  try {
    return yield* work(folder);
  } finally {
    yield* close(folder);
  }
}

/** By the descriptor: what has the name by now is not touched. One that only names the folder takes no fchmod. */
function setMode(folder: Descriptor, mode: number): void {
  chmodSync(`${FDS}/${folder.fd}`, mode);
}
