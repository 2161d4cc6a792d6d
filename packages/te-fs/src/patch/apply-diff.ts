import { OpsError, PatchFailedError } from "@llmc/errors";
import {
  type Undo,
  withLockedTargets,
  type RequestedTarget,
  type ChangeOptions,
  type UndoNote,
  type Change as UndoableChange,
  demandAsRead,
  persist,
} from "@llmc/te-undo";
import {
  placeKey,
  toldAs,
  close,
  type Stat,
  type Work,
  walkToTarget,
  type Target,
  hasFile,
  refuseWrite,
} from "@llmc/te-path";
import type { RequestedPath } from "@llmc/names";
import { computeChanges, notesOf, parseDiff, type PlanKind, quotedIn, type Change } from "@llmc/patch";
import { makeParents } from "../write/make-folders.js";
import { refuseChanged } from "../stale/refuse-changed.js";
import type { StaleGuard } from "../stale/stale-guard.js";
import { backUp } from "./backup.js";
import { makeChange, type Made, type PlacedChange } from "./make-change.js";
import { readWhole } from "./read-whole.js";

export interface ApplyDiffOptions extends ChangeOptions {
  /** Of each file; larger ones are refused. */
  readonly maxBytes: number;
  /** Leave a copy of what was there beside each file. */
  readonly backup?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface AppliedFile {
  readonly kind: PlanKind;
  readonly path: string;
  /** Of a rename or a copy. */
  readonly from: string | null;
  /** What was not to the letter when its hunks were placed. */
  readonly notes: readonly string[];
  /** Encoding of the file, which the diff keeps; omitted for UTF-8. */
  readonly encoding?: Change["encoding"];
  /** Somebody else changed it since the session read it. */
  readonly wasChanged: boolean;
}

export interface AppliedDiff extends UndoNote {
  readonly files: readonly AppliedFile[];
  readonly backups: readonly string[];
  /** One line for each file that already had a part of the diff. */
  readonly notes: readonly string[];
}

type Applied = Omit<AppliedDiff, "notes">;

/** A path as the diff names it. */
type Ask = (path: string) => RequestedPath;

/** Makes all the changes of a diff, or none. */
export async function applyDiff(
  undo: Undo,
  guard: StaleGuard,
  diff: string,
  options: ApplyDiffOptions,
): Promise<AppliedDiff> {
  const { owner, session, signal } = options;
  const plans = parseDiff(diff);
  const isQuoted = quotedIn(diff);
  const ask = (path: string): RequestedPath => ({ ...undo.scope.requested(path, options.cwd), exact: isQuoted(path) });
  return await persist(signal, async () => {
    const sources = new Sources(undo, ask, options);
    const { changes, notes } = await computeChanges(plans, {
      read: (path) => sources.read(path),
      keyOf: (path) => ask(path).shown,
      signal,
    });
    const paths = changes.map(({ path }) => ask(path).shown);
    const change = undo.begin({ owner, session, kind: "diff", paths, allOrNothing: true });
    try {
      return { ...(await new Application({ undo, guard, ask, sources, change }, options).make(changes)), notes };
    } catch (thrown) {
      await undo.scope.change(change.rollBack(), paths[0] ?? "");
      throw thrown;
    }
  });
}

/** The files that a diff is about, as they were when it was compared with them. */
class Sources {
  readonly #undo: Undo;
  readonly #ask: Ask;
  readonly #options: ApplyDiffOptions;
  readonly #stats = new Map<string, Stat>();

  constructor(undo: Undo, ask: Ask, options: ApplyDiffOptions) {
    this.#undo = undo;
    this.#ask = ask;
    this.#options = options;
  }

  /** Null where nothing is; what is no text file is refused. */
  async read(path: string): Promise<Buffer | null> {
    const asked = this.#ask(path);
    try {
      return await this.#undo.scope.run(this.#contentAt(asked), asked.shown, this.#options.signal);
    } catch (thrown) {
      if (OpsError.is(thrown) && thrown.code === "NOT_FOUND") return null;
      throw thrown;
    }
  }

  /** Refuses a file that changed, appeared or went away since the diff was compared with it. */
  demandAsRead(target: Target): void {
    demandAsRead(target, this.#stats.get(target.shown));
  }

  *#contentAt(asked: RequestedPath): Work<Buffer | null> {
    const target = yield* walkToTarget(this.#undo.scope, asked, { follow: true, hold: true });
    try {
      if (!hasFile(target)) return null;
      yield* refuseWrite(this.#undo.scope.execConfig, target);
      this.#stats.set(target.shown, target.found);
      return yield* readWhole(target, this.#options.maxBytes);
    } finally {
      yield* close(target.parent);
      if (target.entry !== undefined) yield* close(target.entry);
    }
  }
}

interface Applying {
  readonly undo: Undo;
  readonly guard: StaleGuard;
  readonly ask: Ask;
  readonly sources: Sources;
  readonly change: UndoableChange;
}

class Application {
  readonly #undo: Undo;
  readonly #guard: StaleGuard;
  readonly #ask: Ask;
  readonly #sources: Sources;
  readonly #change: UndoableChange;
  readonly #options: ApplyDiffOptions;

  constructor({ undo, guard, ask, sources, change }: Applying, options: ApplyDiffOptions) {
    this.#undo = undo;
    this.#guard = guard;
    this.#ask = ask;
    this.#sources = sources;
    this.#change = change;
    this.#options = options;
  }

  /** Fails when a file is no longer what the diff was compared with: then nothing has been changed. */
  async make(changes: readonly Change[]): Promise<Applied> {
    const { signal, dryRun } = this.#options;
    const places = changes.flatMap((change) => this.#placesOf(change));
    for (const { asked } of places) this.#undo.scope.execConfig.refuse(asked.path, asked.shown, false);
    if (dryRun === true)
      return { files: changes.map((change) => this.#report(change, false)), backups: [], undo: null };
    await this.#makeFolders(changes);
    return await withLockedTargets(this.#undo, places, signal, (targets) =>
      this.#undo.scope.change(this.#makeAt(changes, targets), targets[0]?.shown ?? "", signal),
    );
  }

  /** Only what is written to is followed through a link: what goes away goes by its own name. */
  #placesOf({ path, from, kind }: Change): readonly RequestedTarget[] {
    const target = { asked: this.#ask(path), follow: kind !== "delete" };
    if (from === null) return [target];
    return [target, { asked: this.#ask(from), follow: kind === "copy" }];
  }

  async #makeFolders(changes: readonly Change[]): Promise<void> {
    const { signal } = this.#options;
    for (const { path, kind } of changes) {
      if (kind !== "modify" && kind !== "delete") await makeParents(this.#undo, this.#ask(path), this.#change, signal);
    }
  }

  *#makeAt(changes: readonly Change[], targets: readonly Target[]): Work<Applied> {
    const placed = place(changes, targets);
    refuseTwice(targets);
    for (const target of targets) this.#sources.demandAsRead(target);
    for (const spot of targets) yield* toldAs(spot.shown, refuseWrite(this.#undo.scope.execConfig, spot));
    const files: AppliedFile[] = [];
    const backups: string[] = [];
    const foreign = new Set<PlacedChange>();
    for (const each of placed) if (yield* this.#refuseChanged(each)) foreign.add(each);
    for (const each of placed) {
      const { target: spot, from, change } = each;
      const old = from ?? spot;
      if (this.#options.backup === true && change.before !== null && change.kind !== "copy")
        backups.push(yield* toldAs(old.shown, backUp(this.#undo, old, change.before, this.#change)));
      const made = yield* toldAs(spot.shown, makeChange(this.#undo.temps, each, this.#change));
      this.#remember(each, made);
      files.push(this.#report(change, foreign.has(each)));
    }
    return { files, backups, ...(yield* this.#change.finish()) };
  }

  /** What is deleted, or written anew, without a line of what it held is nothing that the diff has proved to know. */
  *#refuseChanged({ change, target, from }: PlacedChange): Work<boolean> {
    const old = from ?? target;
    return yield* toldAs(old.shown, refuseChanged(this.#guard, old, this.#options, change.unproven !== true));
  }

  #remember({ target, from, change }: PlacedChange, made: Made | undefined): void {
    const { marks } = this.#guard;
    const { session } = this.#options;
    if (made === undefined) return marks.forget(session, target.real);
    if (from !== null && change.kind === "rename") marks.moved(session, from.real, target.real);
    const sha256 = made.mark?.sha256;
    if (sha256 === undefined) marks.renewed(session, target.real, made.stat);
    else if (change.kind === "create" || change.kind === "copy") marks.saw(session, target.real, made.stat, sha256);
    else marks.changed(session, target.real, made.stat, sha256);
  }

  #report({ kind, path, from, hunks, encoding }: Change, wasChanged: boolean): AppliedFile {
    return {
      kind,
      path: this.#ask(path).shown,
      from: from === null ? null : this.#ask(from).shown,
      notes: notesOf(hunks),
      ...(encoding === undefined ? {} : { encoding }),
      wasChanged,
    };
  }
}

function place(changes: readonly Change[], targets: readonly Target[]): PlacedChange[] {
  let at = 0;
  const next = (): Target => targets[at++] as Target;
  return changes.map((change) => ({ change, target: next(), from: change.from === null ? null : next() }));
}

/** The same file by two names: what is done under one would be undone under the other. */
function refuseTwice(targets: readonly Target[]): void {
  const names = new Map<string, string>();
  for (const target of targets) {
    const key = placeKey(target);
    const other = names.get(key);
    if (other !== undefined && other !== target.shown)
      throw new PatchFailedError(`${other} and ${target.shown} are one file`, { hint: "Change it under one name." });
    names.set(key, target.shown);
  }
}
