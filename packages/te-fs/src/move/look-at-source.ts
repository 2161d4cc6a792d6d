import { kindOf, type Steps, type TakenSpot, type SourceWish, specialError } from "@llmc/te-path";
import { showBelow } from "@llmc/names";
import { lookAtFolder } from "../remove/look-at-folder.js";
import { stuckError } from "../remove/remove-for-good.js";

/** Refuses what cannot be copied, or not be removed afterwards: by name, and before anything is done. */
export function* refuseUncopiable(from: TakenSpot, { copy, progress }: SourceWish): Steps<void> {
  const kind = kindOf(from.found);
  const isPlain = kind === "file" || kind === "link";
  if (kind !== "folder" && !isPlain) throw specialError(from.shown, kind);
  if (isPlain) return;
  const { special, stuck } = yield* lookAtFolder(from, { progress });
  if (special !== undefined) throw specialError(showBelow(from.shown, special.way), special.kind);
  if (stuck !== undefined && !copy) throw stuckError(from.shown, stuck);
}
