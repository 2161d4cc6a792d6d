import type { Stat, Steps } from "../kernel/syscalls.js";
import type { Bytes } from "../path/bytes.js";
import { refuseExecuted } from "../tree/refuse-executed.js";
import type { Guards } from "../path/open-scope.js";
import { show } from "../path/names.js";
import type { Spot } from "../path/walk.js";
import { Progress } from "../tree/progress.js";

/** What was changed in a tree since it was moved must not come to be executed by moving it back. */
export function* refuseMovedBack(guards: Guards, source: Spot & { readonly found: Stat }, from: Bytes): Steps<void> {
  const wish = { copy: false, progress: new Progress(undefined) };
  yield* refuseExecuted(guards, source, { real: from, shown: show(from) }, wish);
}
