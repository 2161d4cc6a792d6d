import { type Bytes, join, showBelow } from "@llmc/names";
import { kindOf } from "../kernel/kind.js";
import { fstat, type Steps } from "../kernel/syscalls.js";
import type { Guards, OpenScope } from "../scope/scope.js";
import type { Spot } from "../scope/target.js";
import type { TakenSpot } from "../scope/taken-spot.js";
import { withEntry } from "../content/open-entry.js";
import type { Progress } from "./progress.js";
import { survey, type Surveyed } from "./survey.js";

export interface SourceWish {
  /** The source stays. */
  readonly copy: boolean;
  readonly progress: Progress;
}

/**
 * Whether anything in a folder would be executed or be somebody's credentials where it goes, and is not where it is: then
 * it must stay. The other way round a move would open it to changes, with which an undo would bring it back.
 */
export function* refuseExecuted(
  guards: Guards,
  from: TakenSpot,
  to: Pick<Spot, "real" | "shown">,
  { copy, progress }: SourceWish,
): Steps<void> {
  const { executed } = guards;
  const shut = shutAt(guards, to.real);
  if (kindOf(from.found) !== "folder" || !(lendMeaning(executed, from, to) || shut.size > 0)) return;
  const judge = ({ way, kind }: Surveyed): undefined => {
    const names = way();
    const isFolder = kind === "folder";
    const [source, target] = [join(from.real, ...names), join(to.real, ...names)];
    if (shut.has(target)) guards.closed.refusePath("/", target, showBelow(to.shown, names));
    if (executed.isExecuted(source, isFolder) === undefined)
      executed.refuse(target, showBelow(to.shown, names), isFolder);
    else if (!copy && executed.isExecuted(target, isFolder) === undefined)
      executed.refuse(source, showBelow(from.shown, names), isFolder);
  };
  yield* withEntry(from, (entry) => survey(entry, { shown: from.shown, progress, each: judge }));
}

/** The same once it is there: another call may have put something in while it was looked at, copied or renamed. */
export function* refuseBecome(guards: Guards, from: Pick<Spot, "real">, to: Spot, progress: Progress): Steps<void> {
  const { executed } = guards;
  const shut = shutAt(guards, to.real);
  if (!lendMeaning(executed, from, to) && shut.size === 0) return;
  const judge = ({ way, kind }: Surveyed): undefined => {
    const names = way();
    const isFolder = kind === "folder";
    const target = join(to.real, ...names);
    if (shut.has(target)) guards.closed.refusePath("/", target, showBelow(to.shown, names));
    if (executed.isExecuted(join(from.real, ...names), isFolder) === undefined)
      executed.refuse(target, showBelow(to.shown, names), isFolder);
  };
  const there = { ...to, entry: undefined };
  yield* withEntry(there, function* (entry) {
    if (kindOf(yield* fstat(entry)) === "folder") yield* survey(entry, { shown: to.shown, progress, each: judge });
  });
}

function lendMeaning(executed: OpenScope["executed"], ...ends: readonly Pick<Spot, "real">[]): boolean {
  return ends.some(({ real }) => executed.lendsMeaning(real));
}

function shutAt({ closed, roots }: Guards, real: Bytes): ReadonlySet<Bytes> {
  return closed.shutBelow(real, roots);
}
