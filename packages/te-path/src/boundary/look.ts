import { type Bytes, contains } from "@llmc/names";
import type { Listed } from "../kernel/listing.js";
import { close, hasCode, listAtOnce, open, type Work } from "../kernel/syscalls.js";
import { READ_FOLDER } from "../kernel/flags.js";

/** Undefined for what is not there, or not for us. */
export function* tolerated<T>(work: Work<T>): Work<T | undefined> {
  try {
    return yield* work;
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG")) return undefined;
    throw thrown;
  }
}

/** `mount`: the one that it lies on, if that may never answer. */
export function listed(mount: Bytes | null, folder: Bytes): Work<readonly Listed[] | undefined> {
  return tolerated(list(mount, folder));
}

function* list(mount: Bytes | null, folder: Bytes): Work<readonly Listed[] | undefined> {
  const held = yield* open(mount, folder, READ_FOLDER);
  try {
    return yield* listAtOnce(held);
  } finally {
    yield* close(held);
  }
}

/** With the root "/": read-only there anyway, or not shown. */
export function isSystem(path: Bytes): boolean {
  return ["/proc", "/sys", "/dev", "/run", "/usr", "/etc", "/var", "/opt", "/lib", "/boot"].some((system) =>
    contains(system, path),
  );
}
