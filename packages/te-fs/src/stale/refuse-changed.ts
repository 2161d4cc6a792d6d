import { ShaMismatchError, StaleFileError } from "@llmc/errors";
import { constants } from "node:fs";
import { type Steps, type Spot, sha256Of, withEntry, withOpen, hasFile, type FileSpot } from "@llmc/te-path";
import type { StaleGuard } from "./stale-guard.js";

export interface Precondition {
  readonly session: string;
  readonly expectedSha256?: string | null | undefined;
}

/** Whether somebody else changed the file meanwhile; when that is not merely to be told, it is refused. */
export function* refuseChanged(
  guard: StaleGuard,
  spot: Spot,
  { session, expectedSha256 }: Precondition,
  provesItself: boolean,
): Steps<boolean> {
  if (!hasFile(spot)) return false;
  const { shown, real, found } = spot;
  if (typeof expectedSha256 === "string") {
    const sha256 = yield* currentSha256(spot);
    if (sha256 !== expectedSha256.toLowerCase()) throw new ShaMismatchError(shown, sha256);
    guard.marks.saw(session, real, found, sha256);
    return false;
  }
  if (!(yield* wasChanged(guard, spot, session))) return false;
  // What others wrote is still there afterwards, and still unseen.
  if (provesItself) guard.marks.missed(session, real);
  if (provesItself || guard.mode === "warn") return true;
  throw new StaleFileError(shown, yield* currentSha256(spot));
}

/** Whether the content is another one than the session last saw: a touch, or the same content anew, is no change. */
export function* wasChanged({ mode, marks }: StaleGuard, spot: FileSpot, session: string): Steps<boolean> {
  const { real, found } = spot;
  if (mode === "off" || !marks.isStale(session, real, found)) return false;
  const seen = marks.seen(session, real);
  if (seen?.size !== found.size || seen.sha256 !== (yield* currentSha256(spot))) return true;
  marks.saw(session, real, found, seen.sha256);
  return false;
}

export function* currentSha256(spot: FileSpot): Steps<string> {
  return yield* withEntry(spot, (entry) => withOpen(entry, constants.O_RDONLY, sha256Of));
}
