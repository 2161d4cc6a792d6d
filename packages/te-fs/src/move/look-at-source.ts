import { kindOf, type Work, type ExistingTarget, type SourceWish, specialError } from "@llmc/te-path";
import { displayBelow } from "@llmc/names";
import { lookAtFolder } from "../remove/look-at-folder.js";
import { stuckError } from "../remove/remove-for-good.js";

/** Refuses what cannot be copied, or not be removed afterwards: by name, and before anything is done. */
export function* refuseUncopiable(from: ExistingTarget, { copy, progress }: SourceWish): Work<void> {
  const kind = kindOf(from.found);
  const isPlain = kind === "file" || kind === "link";
  if (kind !== "folder" && !isPlain) throw specialError(from.shown, kind);
  if (isPlain) return;
  const { special, stuck } = yield* lookAtFolder(from, { progress });
  if (special !== undefined) throw specialError(displayBelow(from.shown, special.way), special.kind);
  if (stuck !== undefined && !copy) throw stuckError(from.shown, stuck);
}
