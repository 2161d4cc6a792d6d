import { OpsError } from "@llmc/errors";
import { hasCode, type Work } from "../kernel/syscalls.js";

/** Returns undefined if a path leads nowhere, or may not be used by this server. */
export function* tolerated<T>(work: Work<T>): Work<T | undefined> {
  try {
    return yield* work;
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG")) return undefined;
    // The walk itself says so of a root that has gone, and of a path below a file or through too many links.
    if (OpsError.is(thrown) && ["NOT_FOUND", "NOT_A_DIRECTORY", "INVALID_PATH"].includes(thrown.code)) return undefined;
    throw thrown;
  }
}
