import type { Bytes, Stat, Steps } from "../kernel/syscalls.js";
import { refuseExecuted } from "../move/look-at-source.js";
import type { Executed } from "../path/executed.js";
import { show } from "../path/names.js";
import type { Spot, Tree } from "../path/walk.js";
import { Progress } from "../tree/progress.js";

/** What was changed in a tree since it was moved must not come to be executed by moving it back. */
export function* refuseMovedBack(
  guards: { readonly tree: Tree; readonly executed: Executed },
  source: Spot & { readonly found: Stat },
  from: Bytes,
): Steps<void> {
  const wish = { copy: false, progress: new Progress(undefined) };
  yield* refuseExecuted(guards, source, { real: from, shown: show(from) }, wish);
}
