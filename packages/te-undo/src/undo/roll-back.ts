import { WriteFailedError } from "@llmc/errors";
import { fromChangeErrno, type Steps, given } from "@llmc/te-path";
import { show } from "@llmc/names";
import { Foresight } from "./foresight.js";
import { isStillWho } from "./identity.js";
import { InTheWay } from "./in-the-way.js";
import { judge } from "./judge.js";
import { takeBack } from "./take-back.js";
import { unrecorded, type RollingBack, type TakingBack } from "./taking-back.js";
import { pathOf, type UndoStep } from "../store/undo-step.js";

/** Takes steps back that were made a moment ago, last first and as far as possible; throws what is in the way. */
export function* rollBack(
  desk: Omit<TakingBack, "change" | "isRollBack" | "lost" | "withoutOld" | "became">,
  steps: readonly UndoStep[],
  { isNext, became, isBack }: RollingBack,
): Steps<void> {
  const work: TakingBack = {
    ...desk,
    change: unrecorded,
    isRollBack: true,
    lost: () => {},
    withoutOld: () => {},
    became,
  };
  const options = {
    foresight: new Foresight(desk.scope),
    held: desk.held,
    isWho: isStillWho,
    isUnfinished: true,
    guard: () => {},
    asCopied: () => given(undefined),
  };
  const made: UndoStep[] = [];
  const problems: unknown[] = [];
  // All are judged before the first is taken back: what is made anew is not known again.
  for (const step of steps.toReversed()) {
    try {
      if ((yield* judge(step, options)).isMade) made.push(step);
    } catch (thrown) {
      problems.push(problemOf(thrown, step));
    }
  }
  for (const step of made) {
    try {
      isNext(steps.indexOf(step));
      yield* takeBack(work, step);
      isBack(step);
    } catch (thrown) {
      problems.push(problemOf(thrown, step));
    }
  }
  if (problems.length > 0) throw problems[0];
}

function problemOf(thrown: unknown, step: UndoStep): unknown {
  if (!(thrown instanceof InTheWay)) return fromChangeErrno(thrown, show(pathOf(step)));
  return new WriteFailedError("The state before this change", thrown.message);
}
