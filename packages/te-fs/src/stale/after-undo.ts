import { type Scope, done, kindOf, type Work } from "@llmc/te-path";
import { pathOf, type UndoStep } from "@llmc/te-undo";
import type { ReadMarks } from "./read-marks.js";
import { lookAt } from "./look-at.js";

/** What a session takes back of its own work is no surprise to it; what it had not seen before, it has not seen by that. */
export function* afterUndo(scope: Scope, marks: ReadMarks, session: string, work: readonly UndoStep[]): Work<void> {
  for (const step of work) {
    const real = pathOf(step);
    if (step.did === "moved") marks.moved(session, step.to, real);
    const now = yield* lookAt(scope, real, (target) => done(target.found));
    if (now === undefined) marks.forget(session, real);
    else if (kindOf(now) !== "file") continue;
    else if (step.did === "moved" || step.did === "set mode") marks.renewed(session, real, now);
    else marks.changed(session, real, now);
  }
}
