import { type Work, done } from "@llmc/te-path";
import { ownMark } from "../locks/process-mark.js";
import type { Entries } from "../store/entries.js";
import type { Entry } from "../store/entry-log.js";
import type { Sight } from "./projected-files.js";
import type { Who } from "../store/steps.js";

/** Whether what is seen is what a step says that it was, or stands for it. */
export type IsWho = (sight: Sight, who: Who) => Work<boolean>;

/** For a change that was made a moment ago. */
export const isStillWho: IsWho = ({ who: now }, who) => done(now === undefined || isSame(now, who, true));

/** For as long as the journal remembers the change. */
export function identify(entries: Entries, id: string, { head }: Entry): IsWho {
  // Numbers of devices may change when the machine starts again.
  const sameBoot = bootOf(head.writer) === bootOf(ownMark());
  const keyOf = ({ dev, ino, born }: Who): string => `${sameBoot ? dev : ""}:${ino}:${born}`;
  let anew: Map<string, Who> | undefined;
  return function* ({ who: seen }, who) {
    // Foreseen: a later step of the same change has found it there.
    if (seen === undefined || isSame(seen, who, sameBoot)) return true;
    anew ??= new Map((yield* entries.becameSince(id)).map(([was, now]) => [keyOf(now), was]));
    let was = anew.get(keyOf(seen));
    // A file that was made anew several times; never in a circle.
    for (let left = anew.size; left > 0 && was !== undefined && !isSame(was, who, sameBoot); left--)
      was = anew.get(keyOf(was));
    return was !== undefined && isSame(was, who, sameBoot);
  };
}

/** Not every file system tells when a file was made. */
function isSame(a: Who, b: Who, sameBoot: boolean): boolean {
  if (a.ino !== b.ino || (sameBoot && a.dev !== b.dev)) return false;
  return a.born === undefined || b.born === undefined || a.born === b.born;
}

/** Which start of the machine a process belongs to. */
function bootOf(mark: string): string {
  return mark.split(" ")[1]?.split("/")[0] ?? "";
}
