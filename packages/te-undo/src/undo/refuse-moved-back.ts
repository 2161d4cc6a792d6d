import { type Stat, type Steps, refuseExecuted, type Guards, type Spot, Progress } from "@llmc/te-path";
import { type Bytes, show } from "@llmc/names";

/** What was changed in a tree since it was moved must not come to be executed by moving it back. */
export function* refuseMovedBack(guards: Guards, source: Spot & { readonly found: Stat }, from: Bytes): Steps<void> {
  const wish = { copy: false, progress: new Progress(undefined) };
  yield* refuseExecuted(guards, source, { real: from, shown: show(from) }, wish);
}
