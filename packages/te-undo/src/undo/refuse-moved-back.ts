import { type Stat, type Work, refuseExecuted, type Guards, type Target, Progress } from "@llmc/te-path";
import { type Bytes, displayPath } from "@llmc/names";

/** What was changed in a tree since it was moved must not come to be executed by moving it back. */
export function* refuseMovedBack(guards: Guards, source: Target & { readonly found: Stat }, from: Bytes): Work<void> {
  const wish = { copy: false, progress: new Progress(undefined) };
  yield* refuseExecuted(guards, source, { real: from, shown: displayPath(from) }, wish);
}
