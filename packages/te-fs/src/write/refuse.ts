import { InvalidPathError, IsDirectoryError, ShaMismatchError, StaleFileError } from "@llmc/errors";
import { constants } from "node:fs";
import type { Hand } from "../hand.js";
import { kindOf } from "../kernel/kind.js";
import { mayWrite, type Stat, type Steps } from "../kernel/syscalls.js";
import type { Spot } from "../path/walk.js";
import { sha256Of } from "./content-hash.js";
import { withEntry, withOpen } from "./open-entry.js";

/** A spot at which a regular file is. */
export type FileSpot = Spot & { readonly found: Stat };

export function hasFile(spot: Spot): spot is FileSpot {
  return spot.found !== undefined;
}

/** Refuses what no content may be written to. `isTried`: it will be at once. */
export function* refuseWrite(hand: Hand, spot: Spot, isTried = false): Steps<void> {
  const { found, shown, real, name, folder } = spot;
  const kind = found === undefined ? "file" : kindOf(found);
  if (name === "." || kind === "folder") throw new IsDirectoryError(shown, "Name a file in it.");
  if (folder) throw new IsDirectoryError(`${shown}/`, "Leave the slash at the end out to name a file.");
  hand.executed.refuse(real, shown, false);
  if (kind !== "file") {
    const problem = `is a ${kind === "fifo" ? "FIFO" : kind}, not a file`;
    throw new InvalidPathError(shown, problem, "Only regular files are written: choose another name.");
  }
  // What a rename would not ask: whether the file itself may be written.
  if (hasFile(spot) && !(isTried && mayOwnerWrite(spot.found))) yield* withEntry(spot, mayWrite);
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

export interface Precondition {
  readonly session: string;
  readonly expectedSha256?: string | null | undefined;
}

/** Whether somebody else changed the file meanwhile; when that is not merely to be told, it is refused. */
export function* refuseChanged(
  hand: Hand,
  spot: Spot,
  { session, expectedSha256 }: Precondition,
  provesItself: boolean,
): Steps<boolean> {
  if (!hasFile(spot)) return false;
  const { shown, real, found } = spot;
  if (typeof expectedSha256 === "string") {
    const sha256 = yield* currentSha256(spot);
    if (sha256 !== expectedSha256.toLowerCase()) throw new ShaMismatchError(shown, sha256);
    hand.marks.saw(session, real, found, sha256);
    return false;
  }
  if (!(yield* wasChanged(hand, spot, session))) return false;
  // What others wrote is still there afterwards, and still unseen.
  if (provesItself) hand.marks.missed(session, real);
  if (provesItself || hand.staleGuard === "warn") return true;
  throw new StaleFileError(shown, yield* currentSha256(spot));
}

/** Whether the content is another one than the session last saw: a touch, or the same content anew, is no change. */
export function* wasChanged({ staleGuard, marks }: Hand, spot: FileSpot, session: string): Steps<boolean> {
  const { real, found } = spot;
  if (staleGuard === "off" || !marks.isStale(session, real, found)) return false;
  const seen = marks.seen(session, real);
  if (seen?.size !== found.size || seen.sha256 !== (yield* currentSha256(spot))) return true;
  marks.saw(session, real, found, seen.sha256);
  return false;
}

export function* currentSha256(spot: FileSpot): Steps<string> {
  return yield* withEntry(spot, (entry) => withOpen(entry, constants.O_RDONLY, sha256Of));
}
