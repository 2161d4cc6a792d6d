import { StaleFileError } from "@llmc/errors";
import { given, kindOf, type Steps, type Spot, type Tree } from "@llmc/te-path";
import { namesOf, showBelow } from "@llmc/names";
import { wasChanged } from "./refuse-changed.js";
import type { StaleGuard } from "./stale-guard.js";
import { lookAt } from "./look-at.js";

/** Refuses, or tells, that somebody else changed a file in a folder since the session read it. */
export function* refuseChangedBelow(
  scope: Tree,
  guard: StaleGuard,
  { real, shown }: Spot,
  session: string,
): Steps<boolean> {
  let isChanged = false;
  for (const path of guard.mode === "off" ? [] : guard.marks.below(session, real)) {
    const isOther = yield* lookAt(scope, path, (spot) =>
      kindOf(spot.found) === "file" ? wasChanged(guard, spot, session) : given(false),
    );
    if (isOther !== true) continue;
    if (guard.mode === "refuse") throw new StaleFileError(showBelow(shown, namesOf(path.slice(real.length))));
    isChanged = true;
  }
  return isChanged;
}
