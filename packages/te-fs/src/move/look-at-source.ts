import type { Hand } from "../hand.js";
import { kindOf } from "../kernel/kind.js";
import type { Steps } from "../kernel/syscalls.js";
import { join, showBelow } from "../path/names.js";
import type { Spot } from "../path/walk.js";
import { lookAtFolder } from "../remove/look-at-folder.js";
import { stuckError } from "../remove/remove-for-good.js";
import type { TakenSpot } from "../remove/taken-spot.js";
import type { Progress } from "../tree/progress.js";
import { survey, type Surveyed } from "../tree/survey.js";
import { withEntry } from "../write/open-entry.js";
import { specialError } from "./copy-leaf.js";

/** Whether anything in a folder would be executed where it goes, and is not where it is: then it must stay. */
export function* refuseExecuted(hand: Hand, from: TakenSpot, to: Spot, progress: Progress): Steps<void> {
  const { executed } = hand;
  if (kindOf(from.found) !== "folder" || !(executed.lendsMeaning(from.real) || executed.lendsMeaning(to.real))) return;
  const judge = ({ way, kind }: Surveyed): undefined => {
    const names = way();
    const isFolder = kind === "folder";
    if (executed.isExecuted(join(from.real, ...names), isFolder) !== undefined) return;
    const target = join(to.real, ...names);
    executed.refuse(target, showBelow(to.shown, names), isFolder);
  };
  yield* withEntry(from, (entry) => survey(entry, { shown: from.shown, progress, each: judge }));
}

export interface SourceWish {
  /** The source stays. */
  readonly copy: boolean;
  readonly progress: Progress;
}

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
