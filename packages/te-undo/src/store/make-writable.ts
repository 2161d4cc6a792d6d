import { chmodSync } from "node:fs";
import { PROC_FD, close, fstat, hasCode, open, type Descriptor, type Work, FOLDER, done } from "@llmc/te-path";
import type { Bytes } from "@llmc/names";

const OWNER = 0o700n;

/**
 * A folder can be emptied, or renamed into another, only by whoever may write to it. Returns the mode that it had;
 * undefined where it is none, or was writable, or is somebody else's.
 */
export function* makeWritable(path: Bytes): Work<number | undefined> {
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
export function* asWritable(path: Bytes, moved: Bytes, work: () => Work<void>): Work<void> {
  try {
    return yield* work();
  } catch (thrown) {
    const mode = hasCode(thrown, "EACCES") ? yield* makeWritable(path) : undefined;
    if (mode === undefined) throw thrown;
    yield* work();
    yield* withFolder(moved, (folder) => done(setMode(folder, mode)));
  }
}

function* withFolder<T>(path: Bytes, work: (folder: Descriptor) => Work<T>): Work<T> {
  const folder = yield* open(null, path, FOLDER);
  try {
    return yield* work(folder);
  } finally {
    yield* close(folder);
  }
}

/** By the descriptor: what has the name by now is not touched. One that only names the folder takes no fchmod. */
function setMode(folder: Descriptor, mode: number): void {
  chmodSync(`${PROC_FD}/${folder.fd}`, mode);
}
