import { type Bytes, join, displayBelow } from "@llmc/names";
import { kindOf } from "../kernel/kind.js";
import { fstat, type Work } from "../kernel/syscalls.js";
import type { Guards, OpenScope } from "../scope/scope.js";
import type { Target } from "../scope/target.js";
import type { ExistingTarget } from "../scope/existing-target.js";
import { withEntry } from "../content/open-entry.js";
import type { Progress } from "./progress.js";
import { survey, type Surveyed } from "./survey.js";

export interface SourceWish {
  /** The source stays. */
  readonly copy: boolean;
  readonly progress: Progress;
}

/**
 * Refuses a folder with an entry that would become exec config or a forbidden path at the target. Refuses a move also if
 * an entry would stop being exec config, because a client could change the entry there and bring it back by undo.
 */
export function* refuseExecuted(
  guards: Guards,
  from: ExistingTarget,
  to: Pick<Target, "real" | "shown">,
  { copy, progress }: SourceWish,
): Work<void> {
  const { execConfig } = guards;
  const shut = shutAt(guards, to.real);
  if (kindOf(from.found) !== "folder" || !(lendMeaning(execConfig, from, to) || shut.size > 0)) return;
  const judge = ({ way, kind }: Surveyed): undefined => {
    const names = way();
    const isFolder = kind === "folder";
    const [source, target] = [join(from.real, ...names), join(to.real, ...names)];
    if (shut.has(target)) guards.forbidden.refusePath("/", target, displayBelow(to.shown, names));
    if (execConfig.isExecuted(source, isFolder) === undefined)
      execConfig.refuse(target, displayBelow(to.shown, names), isFolder);
    else if (!copy && execConfig.isExecuted(target, isFolder) === undefined)
      execConfig.refuse(source, displayBelow(from.shown, names), isFolder);
  };
  yield* withEntry(from, (entry) => survey(entry, { shown: from.shown, progress, each: judge }));
}

/** The same once it is there: another call may have put something in while it was looked at, copied or renamed. */
export function* refuseBecome(guards: Guards, from: Pick<Target, "real">, to: Target, progress: Progress): Work<void> {
  const { execConfig } = guards;
  const shut = shutAt(guards, to.real);
  if (!lendMeaning(execConfig, from, to) && shut.size === 0) return;
  const judge = ({ way, kind }: Surveyed): undefined => {
    const names = way();
    const isFolder = kind === "folder";
    const target = join(to.real, ...names);
    if (shut.has(target)) guards.forbidden.refusePath("/", target, displayBelow(to.shown, names));
    if (execConfig.isExecuted(join(from.real, ...names), isFolder) === undefined)
      execConfig.refuse(target, displayBelow(to.shown, names), isFolder);
  };
  const there = { ...to, entry: undefined };
  yield* withEntry(there, function* (entry) {
    if (kindOf(yield* fstat(entry)) === "folder") yield* survey(entry, { shown: to.shown, progress, each: judge });
  });
}

function lendMeaning(execConfig: OpenScope["execConfig"], ...ends: readonly Pick<Target, "real">[]): boolean {
  return ends.some(({ real }) => execConfig.lendsMeaning(real));
}

function shutAt({ forbidden, roots }: Guards, real: Bytes): ReadonlySet<Bytes> {
  return forbidden.forbiddenBelow(real, roots);
}
