import { WriteFailedError } from "@llmc/errors";
import { fromChangeErrno, type Work, done } from "@llmc/te-path";
import { displayPath } from "@llmc/names";
import { ProjectedFiles } from "./projected-files.js";
import { isStillWho } from "./identity.js";
import { Conflict } from "./conflict.js";
import { checkStep } from "./check-step.js";
import { undoStep } from "./undo-step.js";
import { unrecorded, type RollingBack, type UndoContext } from "./undo-context.js";
import { pathOf, type UndoStep } from "../store/steps.js";

/** Takes steps back that were made a moment ago, last first and as far as possible; throws what is in the way. */
export function* rollBack(
  parts: Omit<UndoContext, "change" | "isRollBack" | "lost" | "withoutOld" | "became">,
  steps: readonly UndoStep[],
  { isNext, became, isBack }: RollingBack,
): Work<void> {
  const work: UndoContext = {
    ...parts,
    change: unrecorded,
    isRollBack: true,
    lost: () => {},
    withoutOld: () => {},
    became,
  };
  const options = {
    projected: new ProjectedFiles(parts.scope),
    held: parts.held,
    isWho: isStillWho,
    isUnfinished: true,
    guard: () => {},
    asCopied: () => done(undefined),
  };
  const made: UndoStep[] = [];
  const problems: unknown[] = [];
  // All are judged before the first is taken back: what is made anew is not known again.
  for (const step of steps.toReversed()) {
    try {
      if ((yield* checkStep(step, options)).isMade) made.push(step);
    } catch (thrown) {
      problems.push(problemOf(thrown, step));
    }
  }
  for (const step of made) {
    try {
      isNext(steps.indexOf(step));
      yield* undoStep(work, step);
      isBack(step);
    } catch (thrown) {
      problems.push(problemOf(thrown, step));
    }
  }
  if (problems.length > 0) throw problems[0];
}

function problemOf(thrown: unknown, step: UndoStep): unknown {
  if (!(thrown instanceof Conflict)) return fromChangeErrno(thrown, displayPath(pathOf(step)));
  return new WriteFailedError("The state before this change", thrown.message);
}
