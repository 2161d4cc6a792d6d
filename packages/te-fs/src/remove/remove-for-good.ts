import { HalfDoneError, PermissionDeniedError } from "@llmc/errors";
import { fromChangeErrno } from "../errno.js";
import type { Change } from "../journal/journal.js";
import { steadily, type Steps } from "../kernel/syscalls.js";
import type { Bytes } from "../path/bytes.js";
import { showBelow } from "../path/names.js";
import type { Progress } from "../tree/progress.js";
import type { Contents } from "./look-at-folder.js";
import { removeTree } from "./remove-tree.js";
import type { TakenSpot } from "./taken-spot.js";

/** Entry by entry, once that is written down; how many went is told even when it ends before its time. */
export function* removeForGood(
  spot: TakenSpot,
  { entries, stuck }: Contents,
  change: Change,
  progress: Progress,
): Steps<number> {
  const tally = { removed: 0 };
  try {
    if (stuck !== undefined) throw stuckError(spot.shown, stuck);
    yield* removeTree(spot, { shown: spot.shown, tally, progress });
  } catch (thrown) {
    const reason = fromChangeErrno(thrown, spot.shown);
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
  return new PermissionDeniedError(showBelow(shown, way), {
    hint: "Nothing can be taken out of that folder: it is not writable.",
  });
}
