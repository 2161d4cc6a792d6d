import { StaleFileError } from "@llmc/errors";
import type { Hand } from "../hand.js";
import { given } from "../journal/given.js";
import { kindOf } from "../kernel/kind.js";
import type { Steps } from "../kernel/syscalls.js";
import { namesOf, showBelow } from "../path/names.js";
import type { Spot } from "../path/walk.js";
import { wasChanged } from "../write/refuse.js";
import { lookAt } from "./look-at.js";

/** Refuses, or tells, that somebody else changed a file in a folder since the session read it. */
export function* refuseChangedBelow(hand: Hand, { real, shown }: Spot, session: string): Steps<boolean> {
  let isChanged = false;
  for (const path of hand.staleGuard === "off" ? [] : hand.marks.below(session, real)) {
    const isOther = yield* lookAt(hand.tree, path, (spot) =>
      kindOf(spot.found) === "file" ? wasChanged(hand, spot, session) : given(false),
    );
    if (isOther !== true) continue;
    if (hand.staleGuard === "refuse") throw new StaleFileError(showBelow(shown, namesOf(path.slice(real.length))));
    isChanged = true;
  }
  return isChanged;
}
