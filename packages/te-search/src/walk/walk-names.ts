import type { OpenScope, Steps, Syscall } from "@llmc/te-path";
import type { Ground } from "../ground/ground.js";
import type { NameWalk, VisitNames, WalkedNames } from "./name-walk.js";
import { VisitFailed, Walker, type Pause } from "./walker.js";

/** Sees each folder once, those above before those below; no link is followed, and what is closed is not shown. */
export async function walkNames(
  scope: OpenScope,
  ground: Ground,
  walk: NameWalk,
  visit: VisitNames,
): Promise<WalkedNames> {
  const walker = new Walker(scope, ground, walk, visit);
  const steps = walker.walk();
  let resume = (): IteratorResult<Syscall | Pause, WalkedNames["ended"]> => steps.next();
  try {
    for (;;) {
      const outcome = await scope.run(untilPause(steps, resume), ground.path, walk.signal);
      if ("ended" in outcome) return { ended: outcome.ended, ...walker.tally() };
      try {
        const answer = await outcome.pause;
        resume = () => steps.next(answer);
      } catch (cause) {
        resume = () => steps.throw(new VisitFailed("visit", { cause }));
      }
    }
  } catch (thrown) {
    throw thrown instanceof VisitFailed ? thrown.cause : thrown;
  }
}

/** Hands on the system calls; ends where somebody is to be waited for. */
function* untilPause(
  steps: Generator<Syscall | Pause, WalkedNames["ended"], unknown>,
  resume: () => IteratorResult<Syscall | Pause, WalkedNames["ended"]>,
): Steps<{ readonly pause: Pause } | { readonly ended: WalkedNames["ended"] }> {
  let step = resume();
  while (!step.done) {
    if (step.value instanceof Promise) return { pause: step.value };
    let value: unknown;
    try {
      value = yield step.value;
    } catch (thrown) {
      step = steps.throw(thrown);
      continue;
    }
    step = steps.next(value);
  }
  return { ended: step.value };
}
