import { ShaMismatchError, StaleFileError } from "@llmc/errors";
import { constants } from "node:fs";
import { type Work, type Target, sha256Of, withEntry, withOpen, hasFile, type FileTarget } from "@llmc/te-path";
import type { StaleGuard } from "./stale-guard.js";

export interface Precondition {
  readonly session: string;
  readonly expectedSha256?: string | null | undefined;
}

/** Whether somebody else changed the file meanwhile; when that is not merely to be told, it is refused. */
export function* refuseChanged(
  guard: StaleGuard,
  target: Target,
  { session, expectedSha256 }: Precondition,
  provesItself: boolean,
): Work<boolean> {
  if (!hasFile(target)) return false;
  const { shown, real, found } = target;
  if (typeof expectedSha256 === "string") {
    const sha256 = yield* currentSha256(target);
    if (sha256 !== expectedSha256.toLowerCase()) throw new ShaMismatchError(shown, sha256);
    guard.marks.saw(session, real, found, sha256);
    return false;
  }
  if (!(yield* wasChanged(guard, target, session))) return false;
  // What others wrote is still there afterwards, and still unseen.
  if (provesItself) guard.marks.missed(session, real);
  if (provesItself || guard.mode === "warn") return true;
  throw new StaleFileError(shown, yield* currentSha256(target));
}

/** Whether the content is another one than the session last saw: a touch, or the same content anew, is no change. */
export function* wasChanged({ mode, marks }: StaleGuard, target: FileTarget, session: string): Work<boolean> {
  const { real, found } = target;
  if (mode === "off" || !marks.isStale(session, real, found)) return false;
  const seen = marks.seen(session, real);
  if (seen?.size !== found.size || seen.sha256 !== (yield* currentSha256(target))) return true;
  marks.saw(session, real, found, seen.sha256);
  return false;
}

export function* currentSha256(target: FileTarget): Work<string> {
  return yield* withEntry(target, (entry) => withOpen(entry, constants.O_RDONLY, sha256Of));
}
