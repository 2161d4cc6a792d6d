import type { OpenScope, Work, Syscall } from "@llmc/te-path";
import type { SearchRoot } from "../search-root/search-root.js";
import type { NameWalk, VisitNames, WalkedNames } from "./name-walk.js";
import { VisitFailed, Walker, type Pause } from "./walker.js";

/** Sees each folder once, those above before those below; no link is followed, and what is closed is not shown. */
export async function walkNames(
  scope: OpenScope,
  searchRoot: SearchRoot,
  walk: NameWalk,
  visit: VisitNames,
): Promise<WalkedNames> {
  const walker = new Walker(scope, searchRoot, walk, visit);
  const work = walker.walk();
  let resume = (): IteratorResult<Syscall | Pause, WalkedNames["ended"]> => work.next();
  try {
    for (;;) {
      const outcome = await scope.run(untilPause(work, resume), searchRoot.path, walk.signal);
      if ("ended" in outcome) return { ended: outcome.ended, ...walker.tally() };
      try {
        const answer = await outcome.pause;
        resume = () => work.next(answer);
      } catch (cause) {
        resume = () => work.throw(new VisitFailed("visit", { cause }));
      }
    }
  } catch (thrown) {
    throw thrown instanceof VisitFailed ? thrown.cause : thrown;
  }
}

/** Hands on the system calls; ends where somebody is to be waited for. */
function* untilPause(
  work: Generator<Syscall | Pause, WalkedNames["ended"], unknown>,
  resume: () => IteratorResult<Syscall | Pause, WalkedNames["ended"]>,
): Work<{ readonly pause: Pause } | { readonly ended: WalkedNames["ended"] }> {
  let step = resume();
  while (!step.done) {
    if (step.value instanceof Promise) return { pause: step.value };
    let value: unknown;
    try {
      value = yield step.value;
    } catch (thrown) {
      step = work.throw(thrown);
      continue;
    }
    step = work.next(value);
  }
  return { ended: step.value };
}
