import { constants } from "node:fs";
import { close, fstat, fsync, hasCode, inFolder, open, type Descriptor, type Work } from "../kernel/syscalls.js";
import type { FolderId } from "../scope/target.js";

/** The new name itself must be on the disk. */
export function* syncFolder(parent: Descriptor, known?: FolderId): Work<void> {
  try {
    if (parent.canSync === true) return yield* syncOpened(parent, known);
    const folder = yield* open(parent.mount, inFolder(parent, "."), constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      yield* syncOpened(folder, known);
    } finally {
      yield* close(folder);
    }
  } catch (thrown) {
    // A folder that may be searched but not read, or a file system that has no such thing.
    if (!hasCode(thrown, "EACCES", "EPERM", "EINVAL", "ENOTSUP")) throw thrown;
  }
}

function* syncOpened(folder: Descriptor, known: FolderId | undefined): Work<void> {
  yield* fsync(folder, (known ?? (yield* fstat(folder))).dev);
}
