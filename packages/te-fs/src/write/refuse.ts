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

/** Refuses what no content may be written to. */
export function* refuseWrite(hand: Hand, spot: Spot): Steps<void> {
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
  if (hasFile(spot)) yield* withEntry(spot, mayWrite);
}

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
  if (typeof expectedSha256 === "string") {
    const sha256 = yield* currentSha256(spot);
    if (sha256 !== expectedSha256.toLowerCase()) throw new ShaMismatchError(spot.shown, sha256);
    return false;
  }
  if (hand.staleGuard === "off" || !hand.marks.isStale(session, spot.real, spot.found)) return false;
  if (provesItself || hand.staleGuard === "warn") return true;
  throw new StaleFileError(spot.shown, yield* currentSha256(spot));
}

export function* currentSha256(spot: FileSpot): Steps<string> {
  return yield* withEntry(spot, (entry) => withOpen(entry, constants.O_RDONLY, sha256Of));
}
