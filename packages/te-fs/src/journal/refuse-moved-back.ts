import type { Steps } from "../kernel/syscalls.js";
import { refuseExecuted } from "../move/look-at-source.js";
import type { Executed } from "../path/executed.js";
import { show } from "../path/names.js";
import type { Tree } from "../path/walk.js";
import { Progress } from "../tree/progress.js";
import { atPath } from "./at-path.js";
import type { UndoStep } from "./undo-step.js";

type Moved = Extract<UndoStep, { did: "moved" }>;

/** What was changed in a tree since it was moved must not come to be executed by moving it back. */
export function* refuseMovedBack(tree: Tree, executed: Executed, { from, to }: Moved): Steps<void> {
  yield* atPath(tree, to, function* (spot) {
    if (spot.found === undefined) return;
    const there = { real: from, shown: show(from) };
    const wish = { copy: false, progress: new Progress(undefined) };
    yield* refuseExecuted({ executed }, { ...spot, found: spot.found }, there, wish);
  });
}
