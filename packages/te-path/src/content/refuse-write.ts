import { InvalidPathError, IsDirectoryError } from "@llmc/errors";
import { kindOf } from "../kernel/kind.js";
import { mayWrite, type Stat, type Work } from "../kernel/syscalls.js";
import type { ExecConfigGuard } from "../scope/exec-config-guard.js";
import type { Target } from "../scope/target.js";
import { withEntry } from "./open-entry.js";

/** A spot at which a regular file is. */
export type FileTarget = Target & { readonly found: Stat };

export function hasFile(target: Target): target is FileTarget {
  return target.found !== undefined;
}

/** Refuses what no content may be written to. `isTried`: it will be at once. */
export function* refuseWrite(executed: ExecConfigGuard, target: Target, isTried = false): Work<void> {
  const { found, shown, real, name, folder } = target;
  const kind = found === undefined ? "file" : kindOf(found);
  if (name === "." || kind === "folder") throw new IsDirectoryError(shown, "Name a file in it.");
  if (folder) throw new IsDirectoryError(`${shown}/`, "Leave the slash at the end out to name a file.");
  executed.refuse(real, shown, false);
  if (kind !== "file") {
    const problem = `is a ${kind === "fifo" ? "FIFO" : kind}, not a file`;
    throw new InvalidPathError(shown, problem, "Only regular files are written: choose another name.");
  }
  // What a rename would not ask: whether the file itself may be written.
  if (hasFile(target) && !(isTried && mayOwnerWrite(target.found))) yield* withEntry(target, mayWrite);
}

/** Then only an immutable file or a read-only mount says no, and those do to a rename as well. */
function mayOwnerWrite({ uid, mode }: Stat): boolean {
  return (
    (mode & OWNER_WRITES) !== 0n &&
    uid === BigInt(process.geteuid?.() ?? -1) &&
    uid === BigInt(process.getuid?.() ?? -1)
  );
}

const OWNER_WRITES = 0o200n;
