import { StaleFileError } from "@llmc/errors";
import { done, kindOf, type Work, type Target, type Scope } from "@llmc/te-path";
import { namesOf, displayBelow } from "@llmc/names";
import { wasChanged } from "./refuse-changed.js";
import type { StaleGuard } from "./stale-guard.js";
import { lookAt } from "./look-at.js";

/** Refuses, or tells, that somebody else changed a file in a folder since the session read it. */
export function* refuseChangedBelow(
  scope: Scope,
  guard: StaleGuard,
  { real, shown }: Target,
  session: string,
): Work<boolean> {
  let isChanged = false;
  for (const path of guard.mode === "off" ? [] : guard.marks.below(session, real)) {
    const isOther = yield* lookAt(scope, path, (target) =>
      kindOf(target.found) === "file" ? wasChanged(guard, target, session) : done(false),
    );
    if (isOther !== true) continue;
    if (guard.mode === "refuse") throw new StaleFileError(displayBelow(shown, namesOf(path.slice(real.length))));
    isChanged = true;
  }
  return isChanged;
}
