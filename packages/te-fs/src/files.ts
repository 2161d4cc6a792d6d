import { OpsError } from "@llmc/errors";
import {
  Boundaries,
  type Boundary,
  type ForbiddenPath,
  close,
  type Work,
  openRegular,
  walk,
  type Scope,
  openScope,
  type OpenScope,
  type ScopeOptions,
  HashCache,
} from "@llmc/te-path";
import { type SettingNames, type Undone, type UndoNote, type UndoOptions, openUndo, undoFolder } from "@llmc/te-undo";
import type { RequestedPath } from "@llmc/names";
import * as later from "./later.js";
import { listFolder, type ListOptions } from "./list/list-folder.js";
import type { Listing } from "./list/listing.js";
import type { Usage, UsageOptions } from "./list/measure-usage.js";
import { statPath, type PathFacts } from "./list/stat-path.js";
import type { LineIndexCache } from "./read/line-map.js";
import { RegularFile, type FileIdentity, type OpenFile, type RegularFileFacts } from "./read/open-file.js";
import { explainMissing } from "./missing/explain.js";
import type { AppliedDiff, ApplyDiffOptions } from "./patch/apply-diff.js";
import type { PatchedFile, PatchFileOptions } from "./patch/patch-file.js";
import type { Transferred, TransferredPath, TransferOptions } from "./move/transfer.js";
import type { Removed, RemovedPath, RemoveOptions } from "./remove/remove-path.js";
import { createReadMarks } from "./stale/read-marks.js";
import type { StaleMode } from "./stale/stale-guard.js";
import { afterUndo } from "./stale/after-undo.js";
import { makeFolders, type MadeFolders, type MakeFoldersOptions } from "./write/make-folders.js";
import { writeFile, type WriteOptions, type Written } from "./write/write-file.js";

export interface FilesOptions extends Omit<ScopeOptions, "keptIn"> {
  /** The data dir: kept content for undo, locks among servers and names of temporary files. Without it undo is off. */
  readonly stateDir?: string | null;
  readonly undo?: {
    readonly enabled: boolean;
    readonly maxBytes: number;
    readonly maxAgeHours: number;
    readonly names?: SettingNames;
  };
  /** Told what does not work as well as it should. */
  readonly onProblem?: (message: string) => void;
  /** Called with the id of an unfinished change of a crashed server, which undo can revert. */
  readonly onBegun?: (id: string) => void;
  readonly staleGuard?: StaleMode;
}

export interface LookupOptions {
  /** What a relative path starts from; without it the first root. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

export interface ReadOptions extends LookupOptions {
  /** Session that reads the file. */
  readonly session?: string;
  /** Line index of larger files, so that a page is read without the rest of the file. */
  readonly lineIndex?: LineIndexCache | undefined;
}

/** The files below the roots. */
export interface Files {
  /** Scope for packages with file operations of their own. */
  readonly scope: OpenScope;
  readonly roots: readonly { readonly path: string; readonly real: string }[];
  readonly skipped: OpenScope["skipped"];
  /** Threads that hang in calls on dead mounts. While there are any, the process ends by a signal only, not by exit(). */
  readonly abandoned: number;
  /** Opens a file to be read piece by piece, without a session. */
  open(path: string, options?: LookupOptions): Promise<OpenFile>;
  /**
   * Opens a file whose content is read in one pass, unless the file is large. From the first read on, the stale guard
   * tells the session when another program changes the file.
   */
  read(path: string, options?: ReadOptions): Promise<OpenFile>;
  /** Returns whether the path exists; a forbidden path is an error. */
  exists(path: string, options?: LookupOptions): Promise<boolean>;
  list(path: string, options: ListOptions): Promise<Listing>;
  /** Adds up the disk usage of a folder and everything below it on the same file system. */
  usage(path: string, options: UsageOptions): Promise<Usage>;
  stat(path: string, options?: LookupOptions): Promise<PathFacts>;
  write(path: string, bytes: Uint8Array, options: WriteOptions): Promise<Written>;
  makeFolders(path: string, options: MakeFoldersOptions): Promise<MadeFolders>;
  patch(path: string, options: PatchFileOptions): Promise<PatchedFile>;
  applyDiff(diff: string, options: ApplyDiffOptions): Promise<AppliedDiff>;
  move(source: string, target: string, options: TransferOptions): Promise<TransferredPath & UndoNote>;
  copy(source: string, target: string, options: TransferOptions): Promise<TransferredPath & UndoNote>;
  /** Moves or copies one source to the target, or several into it; all or none, as one change. */
  transferAll: TransferAll;
  remove(path: string, options: RemoveOptions): Promise<RemovedPath & UndoNote>;
  /** Removes all of the paths, or none, as one change. */
  removeAll(paths: readonly string[], options: RemoveOptions): Promise<Removed>;
  /** Takes a change back: that of the id, or the last one of the session. */
  undo(id: string | undefined, options: UndoOptions & { readonly session: string }): Promise<Undone>;
  /** What a sandbox around a program in that folder (a real path) has to keep from it. */
  boundary(cwd: string, signal?: AbortSignal): Promise<Boundary>;
  /** The same, wherever the program works: what it neither reads nor writes. */
  shut(): Promise<readonly ForbiddenPath[]>;
  /** Rewrites a guarded git config in place. Returns false for a replaced or read-only file. */
  rewriteConfig: Boundaries["rewriteConfig"];
  /** Removes what killed processes have left and what is too old to be kept. For the start; it never fails. */
  sweep(): Promise<void>;
  /** From now until it is disposed of, what changes is taken for the session's own doing: one of its commands runs. */
  ownWork(session: string): Disposable;
  close(): void;
}

type TransferAll = (
  sources: readonly string[],
  target: string,
  options: TransferOptions & { readonly copy: boolean },
) => Promise<Transferred>;

const UNDO = { enabled: true, maxBytes: 1024 ** 3, maxAgeHours: 72 };

export function openFiles(options: FilesOptions): Files {
  const { stateDir = null, onProblem, onBegun } = options;
  const scope = openScope({ ...options, keptIn: stateDir === null ? [] : [undoFolder(stateDir)] });
  const marks = createReadMarks({ maxPerOwner: 2000, maxOwners: 100 });
  const guard = { mode: options.staleGuard ?? "refuse", marks };
  const undo = openUndo({
    scope,
    dir: stateDir,
    ...(options.undo ?? UNDO),
    onProblem,
    onBegun,
    onUndone: (session, work) => afterUndo(scope, marks, session, work),
  });
  const writing = { undo, guard, hashes: new HashCache() };
  const ended = new AbortController();
  const boundaries = new Boundaries(scope, ended.signal);

  const opened = async (path: string, { cwd, signal }: LookupOptions = {}): Promise<RegularFileFacts> => {
    const asked = scope.requested(path, cwd);
    const { file, stat, real } = await scope.run(openRegular(scope, asked), asked.shown, signal);
    return { path: asked.shown, real, file, stat, network: scope.network };
  };

  const transferAll: TransferAll = (sources, target, wanted) =>
    explainMissing(scope, wanted, later.transferPaths(undo, guard, sources, target, wanted));

  return {
    scope,
    roots: scope.rootPaths,
    skipped: scope.skipped,
    get abandoned() {
      return scope.network.abandoned;
    },
    open: async (path, wanted) => new RegularFile(await opened(path, wanted)),
    async read(path, wanted = {}) {
      const facts = await opened(path, wanted);
      const { session, lineIndex } = wanted;
      const once = {
        onRead(sha256: string | undefined): void {
          if (session !== undefined) marks.saw(session, facts.real, facts.stat, sha256);
        },
        isMapped: (identity: FileIdentity) => lineIndex?.get(identity) !== undefined,
      };
      return new RegularFile({ ...facts, once });
    },
    async exists(path, { cwd, signal } = {}) {
      try {
        const asked = scope.requested(path, cwd);
        await scope.run(isThere(scope, asked), asked.shown, signal);
        return true;
      } catch (thrown) {
        if (OpsError.is(thrown) && (thrown.code === "NOT_FOUND" || thrown.code === "NOT_A_DIRECTORY")) return false;
        throw thrown;
      }
    },
    list: (path, wanted) => listFolder(scope, path, wanted),
    usage: (path, wanted) => later.measureUsage(scope, path, wanted),
    stat: (path, wanted) => statPath(scope, path, wanted),
    write: (path, bytes, wanted) => explainMissing(scope, wanted, writeFile(writing, path, bytes, wanted)),
    makeFolders: (path, wanted) => makeFolders(undo, path, wanted),
    patch: (path, wanted) => explainMissing(scope, wanted, later.patchFile(undo, guard, path, wanted)),
    applyDiff: (diff, wanted) => explainMissing(scope, wanted, later.applyDiff(undo, guard, diff, wanted)),
    transferAll,
    move: async (source, target, wanted) => first(await transferAll([source], target, { ...wanted, copy: false })),
    copy: async (source, target, wanted) => first(await transferAll([source], target, { ...wanted, copy: true })),
    remove: async (path, wanted) => first(await later.removePaths(undo, guard, [path], wanted)),
    removeAll: (paths, wanted) => later.removePaths(undo, guard, paths, wanted),
    undo: (id, wanted) => (id === undefined ? undo.undoLast(wanted) : undo.undo(id, wanted)),
    boundary: (cwd, signal) => boundaries.around(cwd, signal),
    rewriteConfig: (path, identity, change) => boundaries.rewriteConfig(path, identity, change),
    shut: () => boundaries.shut(),
    sweep: () => undo.sweep(),
    ownWork: (session) => marks.ownWork(session),
    close() {
      ended.abort();
      undo.close();
      scope.close();
    },
  };
}

function* isThere(scope: Scope, asked: RequestedPath): Work<void> {
  yield* close((yield* walk(scope, asked)).entry);
}

function first<T extends object>({ paths, ...note }: UndoNote & { readonly paths: readonly T[] }): T & UndoNote {
  return { ...(paths[0] as T), ...note };
}
