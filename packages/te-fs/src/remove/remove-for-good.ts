import { HalfDoneError, PermissionDeniedError } from "@llmc/errors";
import { fromChangeErrno, steadily, type Work, type Progress, removeTree, type ExistingTarget } from "@llmc/te-path";
import type { Change } from "@llmc/te-undo";
import { type Bytes, displayBelow } from "@llmc/names";
import type { Contents } from "./look-at-folder.js";

/** Entry by entry, once that is written down; how many went is told even when it ends before its time. */
export function* removeForGood(
  target: ExistingTarget,
  { entries, stuck }: Contents,
  change: Change,
  progress: Progress,
): Work<number> {
  const tally = { removed: 0 };
  try {
    if (stuck !== undefined) throw stuckError(target.shown, stuck);
    yield* removeTree(target, { shown: target.shown, tally, progress });
  } catch (thrown) {
    const reason = fromChangeErrno(thrown, target.shown);
    if (tally.removed === 0) {
      change.strike();
      throw reason;
    }
    const { undo } = yield* steadily(change.finish());
    throw new HalfDoneError(reason, `${tally.removed} of ${entries} entries are gone`, { ...tally, undo });
  }
  return tally.removed;
}

/** Of a folder out of which nothing can be taken. */
export function stuckError(shown: string, way: readonly Bytes[]): PermissionDeniedError {
  return new PermissionDeniedError(displayBelow(shown, way), {
    hint: "The folder is not writable, so nothing in it can be deleted.",
  });
}
