import { OpsError } from "@llmc/errors";
import { hasCode, type Work } from "../kernel/syscalls.js";

/** Returns undefined if a path does not exist or this server may not use it. */
export function* tolerated<T>(work: Work<T>): Work<T | undefined> {
  try {
    return yield* work;
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG")) return undefined;
    // The walk throws these for a root that is gone, a path below a file and a path through too many symlinks.
    if (OpsError.is(thrown) && ["NOT_FOUND", "NOT_A_DIRECTORY", "INVALID_PATH"].includes(thrown.code)) return undefined;
    throw thrown;
  }
}
