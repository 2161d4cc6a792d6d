import type { Hand } from "../hand.js";
import type { Bytes, Steps, Syscall } from "../kernel/syscalls.js";
import type { FoundName } from "./found-name.js";
import type { Ground } from "./ground.js";
import { VisitFailed, Walker, type Pause } from "./walker.js";

export interface NameWalk {
  readonly includeHidden: boolean;
  /** .gitignore, .ignore, .rgignore and .git/info/exclude count; then `.git` itself is neither shown nor counted. */
  readonly respectIgnore: boolean;
  /** With sizes, times, and what links lead to. */
  readonly stats?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** As performance.now() tells time. */
  readonly deadline?: number | undefined;
}

/** Names of one folder. One that holds very many comes in several slices, one after the other. */
export interface VisitedFolder {
  /** Below the ground; "" is the ground itself. */
  readonly way: Bytes;
  readonly names: readonly FoundName[];
}

/** "stop" ends the walk. The walk waits for a promise. */
export type VisitNames = (folder: VisitedFolder) => void | "stop" | Promise<void | "stop">;

export interface WalkedNames {
  readonly ended: "whole" | "deadline" | "stopped";
  /** Names that were left out as hidden, or by ignore rules; what lies in such a folder is not counted. */
  readonly hidden: number;
  readonly ignored: number;
  /** Folders that could not be read, or not to their end. */
  readonly unreadable: number;
  /** Folders that were shown and turned out to be closed. */
  readonly closed: number;
  /** Folders that were read. */
  readonly folders: number;
  /** Ignore rules that are not in force, because there are more than anybody would write. */
  readonly skippedRules: number;
}

/** Sees each folder once, those above before those below; no link is followed, and what is closed is not shown. */
export async function walkNames(hand: Hand, ground: Ground, walk: NameWalk, visit: VisitNames): Promise<WalkedNames> {
  const walker = new Walker(hand.tree, ground, walk, visit);
  const steps = walker.walk();
  let resume = (): IteratorResult<Syscall | Pause, WalkedNames["ended"]> => steps.next();
  try {
    for (;;) {
      const outcome = await hand.run(untilPause(steps, resume), ground.path, walk.signal);
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
