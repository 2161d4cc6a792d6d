import {
  HalfDoneError,
  OpsError,
  UndoConflictError,
  UndoneAlreadyError,
  UndoNotFoundError,
  UndoNotKeptError,
} from "@llmc/errors";
import { placeKey, fromChangeErrno, drive, close, steadily, type Work, type OpenScope } from "@llmc/te-path";
import { type Bytes, displayPath } from "@llmc/names";
import type { UndoNote } from "../store/undo-note.js";
import type { Locks } from "../locks/locks.js";
import type { Temps } from "../temps/temps.js";
import { demandAsCopied } from "./as-copied.js";
import { targetAt } from "./at-path.js";
import type { TakesBack } from "./recorded-change.js";
import type { Entries, Located } from "../store/entries.js";
import { heldBy } from "../store/entry-content.js";
import type { Entry, Head } from "../store/entry-log.js";
import { isShortName, shortName, timeOf } from "../store/entry-id.js";
import { ProjectedFiles, isMissing } from "./projected-files.js";
import { identify } from "./identity.js";
import { Conflict } from "./conflict.js";
import type { ChangeFacts } from "../store/change.js";
import { checkStep } from "./check-step.js";
import type { LastChanges } from "../store/last-changes.js";
import type { UndoStore } from "../store/undo-store.js";
import { undoStep } from "./undo-step.js";
import type { Recorder, UndoContext } from "./undo-context.js";
import { pathOf, type ChangeKind, type Anew, type CopiedTree, type UndoStep } from "../store/steps.js";

export interface UndoOptions {
  /** Only what belongs to this owner is there for him. */
  readonly owner: string;
  /** Whose change the undo itself is; without it that of the change that is taken back. */
  readonly session?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A change that can be taken back. */
export interface UndoEntry {
  readonly id: string;
  readonly kind: ChangeKind;
  /** As its caller spelled them. */
  readonly paths: readonly string[];
  /** In milliseconds. */
  readonly at: number;
  /** Whoever made it was killed before it was done. */
  readonly isBegun: boolean;
}

export interface Undone extends UndoNote {
  /** What was taken back. */
  readonly id: string;
  readonly kind: ChangeKind;
  readonly paths: readonly string[];
  readonly undone: readonly { readonly path: string; readonly how: string }[];
  /** Steps of which there was nothing to take back, and why. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}

export interface UndoParts {
  readonly store: UndoStore;
  readonly entries: Entries;
  readonly scope: OpenScope;
  readonly temps: Temps;
  readonly locks: Locks;
  readonly begin: (facts: ChangeFacts & TakesBack) => Recorder;
  readonly afterUndo: (session: string, work: readonly UndoStep[]) => Work<void>;
  readonly lastChanges: LastChanges;
}

const HINTED = 5;
/** How many later changes are looked through for one that is in the way. */
const LOOKED_THROUGH = 200;

/** Takes a change back, whole or not at all. */
export async function undo(parts: UndoParts, named: string, { owner, session, signal }: UndoOptions): Promise<Undone> {
  const id = await drive(fullId(parts, named, owner), parts.scope.network, signal);
  await using _turn = await parts.locks.hold(`undo ${id}`, { shown: id, signal });
  const located = await drive(findOwn(parts, id, owner, session), parts.scope.network, signal);
  const { entry } = located;
  const work = entry.steps.toReversed();
  await using _places = await lockAll(parts, work, signal);
  const { made, skipped } = await told(
    parts,
    id,
    entry.head,
    drive(checkAll(parts, id, entry), parts.scope.network, signal),
  );
  const kind = entry.head.kind === "undo" ? "redo" : "undo";
  const { paths } = entry.head;
  const goBackTo = (step: UndoStep | undefined) => {
    if (step !== undefined && entry.all.length > 1) parts.entries.goBackTo(id, entry.all.indexOf(step) + 1);
  };
  const change = parts.begin({
    ...{ owner, session: session ?? entry.head.session, kind, paths, takesBack: id },
    allOrNothing: made.length > 1,
    onRollBack: (index) => goBackTo(made[index]),
  });
  const { anew, without } = await told(parts, id, entry.head, undoAll(parts, id, entry, { made, change, goBackTo }));
  if (session === entry.head.session) await drive(steadily(parts.afterUndo(session, made)), parts.scope.network);
  const note = await drive(change.finish(), parts.scope.network);
  await drive(steadily(parts.entries.retire(id, located, note.undo?.id, anew)), parts.scope.network);
  const undone = made.map((step) => ({ path: displayPath(pathOf(step)), how: howOf(step, without) }));
  return { id, kind: entry.head.kind, paths, undone, skipped, ...note };
}

/** The last change of the session that was not taken back; an undo is none. */
export async function undoLast(
  parts: UndoParts,
  { owner, session, signal }: UndoOptions & { readonly session: string },
): Promise<Undone> {
  const id = await drive(findLast(parts, owner, session), parts.scope.network, signal);
  return await undo(parts, id, { owner, session, signal });
}

/** One that is not kept stands before those that are: what comes before it is for the caller to choose. */
function* findLast(parts: UndoParts, owner: string, session: string): Work<string> {
  let last: string | undefined;
  let described: string | undefined;
  yield* parts.entries.each((id, head) => {
    if (head.owner !== owner || head.session !== session || head.kind === "undo") return false;
    last = id;
    described = describe(id, head.kind, head.paths);
    return true;
  });
  const change = parts.lastChanges.of(owner, session);
  if (typeof change === "object" && (last === undefined || timeOf(last) <= change.at)) {
    const what = `${change.kind} ${shorten(change.paths)}, ${timeText(change.at)}`;
    throw new UndoNotKeptError(what, change.reason, described);
  }
  if (last !== undefined) return last;
  const isBack = yield* parts.entries.hasTakenBack(owner, session);
  const why = isBack ? "taken back" : change === undefined ? "nothing" : "let go";
  throw new UndoNotFoundError(NOTHING[why], yield* hint(parts, owner, session));
}

const ONLY_FILE_TOOLS = "Changes by commands cannot be undone here.";
const NOTHING = {
  nothing: "This session changed no file through file tools",
  "taken back": "All changes of this session are undone already",
  "let go": "The changes of this session are no longer kept: too old, or dropped for newer ones",
};

/** Newest first. */
export function* listEntries(parts: UndoParts, owner: string, limit: number, session?: string): Work<UndoEntry[]> {
  const found: UndoEntry[] = [];
  let looked = 0;
  yield* parts.entries.each(function* (id, { owner: its, session: itsSession, kind, paths }) {
    if (its !== owner || kind === "undo") return false;
    if (session !== undefined && ++looked > LOOKED_THROUGH) return true;
    const entry = (yield* parts.entries.find(id))?.entry;
    const isBegun = entry !== undefined && entry.doneAt === undefined;
    const isForeign = session !== undefined && itsSession !== session && !isBegun;
    if (entry !== undefined && !isForeign) found.push({ id, kind, paths, at: timeOf(id), isBegun });
    return found.length >= limit;
  });
  return found;
}

const HOW: Readonly<Record<UndoStep["did"], string>> = {
  rewrote: "has its old content",
  created: "is removed",
  deleted: "is back",
  appended: "lost what was added",
  cut: "has its end back",
  "made folder": "is removed",
  "removed folder": "is back",
  moved: "is back in its place",
  copied: "is removed",
  restored: "is removed",
  removed: "is back",
  "set mode": "has its old mode",
};

/** With what is not as it was. */
function howOf(step: UndoStep, without: ReadonlyMap<Bytes, readonly string[]>): string {
  const how = [HOW[step.did]];
  const missing = without.get(pathOf(step)) ?? [];
  if (missing.length > 0) how.push(`but not its old ${missing.join(", ")} (not permitted)`);
  if (step.did === "rewrote" && step.before.hasOtherNames === true && step.inPlace !== true)
    how.push("as a file of its own: its other hard links were cut off by the change");
  return how.join(", ");
}

/** Returns the id for a short name, and any other text unchanged. */
function* fullId(parts: UndoParts, named: string, owner: string): Work<string> {
  if (!isShortName(named)) return named;
  const own: string[] = [];
  for (const id of yield* parts.entries.namedShort(named))
    if ((yield* parts.entries.find(id))?.entry.head.owner === owner) own.push(id);
  if (own.length > 1)
    throw new UndoNotFoundError(`${named} stands for several changes`, `Pass one of ${own.join(", ")}.`);
  return own[0] ?? named;
}

function* findOwn(parts: UndoParts, id: string, owner: string, session: string | undefined): Work<Located> {
  const located = yield* parts.entries.find(id);
  if (located === undefined || located.entry.head.owner !== owner)
    throw new UndoNotFoundError(`No change ${JSON.stringify(id.slice(0, 80))}`, yield* hint(parts, owner, session));
  const by = located.entry.undoneBy || undefined;
  if (located.isUndone) throw new UndoneAlreadyError(shortName(id), by === undefined ? undefined : shortName(by));
  return located;
}

/**
 * Advises the last changes of the session and changes that a crashed server left unfinished, but no other session's.
 */
function* hint(parts: UndoParts, owner: string, session: string | undefined): Work<string> {
  const last = yield* listEntries(parts, owner, HINTED, session);
  if (last.length === 0) return ONLY_FILE_TOOLS;
  const begun = (entry: UndoEntry): string => (entry.isBegun ? ", begun and cut short when its server was killed" : "");
  const ids = last.map((entry) => describe(entry.id, entry.kind, entry.paths, begun(entry)));
  return `Pass an id: ${ids.join("; ")}.`;
}

function describe(id: string, kind: ChangeKind, paths: readonly string[], more = ""): string {
  return `${shortName(id)} (${kind} ${shorten(paths)}, ${timeText(timeOf(id))}${more})`;
}

function shorten([first = "", ...rest]: readonly string[]): string {
  const path = first.length > 80 ? `…${first.slice(-79)}` : first;
  return rest.length === 0 ? path : `${path} and ${rest.length} more`;
}

function timeText(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+/, "");
}

/** The same places in the same order as everybody else. What lies in a folder that is gone needs none. */
async function lockAll(
  parts: UndoParts,
  work: readonly UndoStep[],
  signal: AbortSignal | undefined,
): Promise<AsyncDisposable> {
  const keys = new Map<string, string>();
  for (const path of new Set(work.flatMap(touchedBy))) {
    const key = await drive(keyOf(parts, path), parts.scope.network, signal);
    if (key !== undefined) keys.set(key, displayPath(path));
  }
  const held: AsyncDisposable[] = [];
  const letGo = async (): Promise<void> => {
    for (const each of held.toReversed()) await each[Symbol.asyncDispose]();
  };
  try {
    for (const [key, shown] of [...keys].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      held.push(await parts.locks.hold(key, { shown, signal }));
    return { [Symbol.asyncDispose]: letGo };
  } catch (thrown) {
    await letGo();
    throw thrown;
  }
}

function* keyOf({ scope }: UndoParts, path: Bytes): Work<string | undefined> {
  try {
    const target = yield* targetAt(scope, path);
    yield* close(target.parent);
    return placeKey(target);
  } catch (thrown) {
    // It is judged later, and in words.
    if (thrown instanceof Conflict || isMissing(thrown)) return undefined;
    throw thrown;
  }
}

interface Checked {
  /** Last first. */
  readonly made: readonly UndoStep[];
  readonly skipped: Undone["skipped"];
}

function* checkAll(parts: UndoParts, id: string, entry: Entry): Work<Checked> {
  const made: UndoStep[] = [];
  const skipped: { path: string; why: string }[] = [];
  const options = {
    projected: new ProjectedFiles(parts.scope),
    held: heldBy(entry, id, parts.store.path),
    isUnfinished: entry.doneAt === undefined,
    isWho: identify(parts.entries, id, entry),
    guard: (path: Bytes, isFolder: boolean) => parts.scope.execConfig.refuse(path, displayPath(path), isFolder),
    asCopied: (path: Bytes, copied: CopiedTree) => demandAsCopied(parts.scope, path, copied),
  };
  for (const step of entry.steps.toReversed()) {
    const verdict = yield* checkStep(step, options);
    if (verdict.isMade) made.push(step);
    else skipped.push({ path: displayPath(pathOf(step)), why: verdict.why });
  }
  return { made, skipped };
}

interface Taking {
  readonly made: readonly UndoStep[];
  readonly change: Recorder;
  /** Remembers that all after this step are taken back, and that this one may be. */
  readonly goBackTo: (step: UndoStep) => void;
}

interface TakenBack {
  readonly anew: readonly Anew[];
  /** What could not be given back to a file. */
  readonly without: ReadonlyMap<Bytes, readonly string[]>;
}

/** From here on nothing ends it but its own end: to the last step, or back to where it began. */
async function undoAll(
  { scope, temps, store }: UndoParts,
  id: string,
  entry: Entry,
  { made, change, goBackTo }: Taking,
): Promise<TakenBack> {
  const lost: Bytes[] = [];
  const anew: Anew[] = [];
  const without = new Map<Bytes, string[]>();
  const work: UndoContext = {
    ...{ scope, temps, change },
    held: heldBy(entry, id, store.path),
    isRollBack: false,
    lost: (path) => void lost.push(path),
    withoutOld: (path, what) => void without.set(path, [...(without.get(path) ?? []), what]),
    became: (pair) => void anew.push(pair),
  };
  for (const step of made) {
    try {
      goBackTo(step);
      await drive(steadily(undoStep(work, step)), scope.network);
    } catch (thrown) {
      const stuck = await drive(change.rollBack(), scope.network).then(() => undefined, OpsError.from);
      const why = stuck?.message ?? (lost.length === 0 ? undefined : `${displayPath(lost.join(", "))} is gone`);
      if (why === undefined && thrown instanceof Conflict) throw thrown;
      const reason = reasonOf(thrown, step);
      throw why === undefined ? reason : new HalfDoneError(reason, `part of ${shortName(id)} is undone: ${why}`, {});
    }
  }
  return { anew, without };
}

/** In words that say what to do about it. */
async function told<T>(parts: UndoParts, id: string, head: Head, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (!(thrown instanceof Conflict)) throw fromChangeErrno(thrown, id);
    const later = thrown.isChange ? await drive(laterChanges(parts, id, head, thrown.path), parts.scope.network) : [];
    const inOrder = later.length > 1 ? ", in this order" : "";
    const first = later.length > 0 ? `Undo ${later.join(", ")} first${inOrder}` : thrown.remedy;
    const help =
      first === undefined
        ? "Another program changed it: read it and change it by hand."
        : `${first}, then ${shortName(id)} again.`;
    throw new UndoConflictError(thrown.path, thrown.problem, help);
  }
}

function reasonOf(thrown: unknown, step: UndoStep): unknown {
  if (!(thrown instanceof Conflict)) return fromChangeErrno(thrown, displayPath(pathOf(step)));
  return new UndoConflictError(thrown.path, thrown.problem, "Read it and change it by hand.");
}

/** Returns later changes of the same session to the path, newest first, because they must be undone first. */
function* laterChanges(parts: UndoParts, id: string, { owner, session }: Head, path: string): Work<string[]> {
  const later: string[] = [];
  let looked = 0;
  yield* parts.entries.each(function* (each, head) {
    if (each <= id || later.length === HINTED || ++looked > LOOKED_THROUGH) return true;
    if (head.owner !== owner || head.session !== session) return false;
    const work = (yield* parts.entries.find(each))?.entry.steps ?? [];
    if (work.some((step) => touchedBy(step).some((touched) => isAround(displayPath(touched), path))))
      later.push(shortName(each));
    return false;
  });
  return later;
}

function isAround(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

function touchedBy(step: UndoStep): Bytes[] {
  return step.did === "moved" ? [step.from, step.to] : [pathOf(step)];
}
