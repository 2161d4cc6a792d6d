import { NoRootsError, OpsError } from "@llmc/errors";
import { fromChangeErrno, fromErrno } from "./errno.js";
import { Boundaries, type Boundary, type Shut } from "./boundary/boundary.js";
import type { Hand } from "./hand.js";
import { createJournal } from "./journal/create-journal.js";
import type { Undone, UndoOptions } from "./journal/undo.js";
import { drive } from "./kernel/drive.js";
import { Mounts } from "./kernel/mounts.js";
import { NetworkThreads } from "./kernel/network.js";
import { close, type Bytes, type Steps } from "./kernel/syscalls.js";
import * as later from "./later.js";
import { listFolder, type ListOptions } from "./list/list-folder.js";
import type { Listing } from "./list/listing.js";
import { statPath, type PathFacts } from "./list/stat-path.js";
import { RegularFile, type OpenFile } from "./open-file.js";
import { parseArgument, type Asked } from "./path/argument.js";
import { Executed } from "./path/executed.js";
import { show, textOf, toBytes } from "./path/names.js";
import { explainMissing } from "./missing/explain.js";
import { openRegular } from "./path/open-regular.js";
import { plantTree } from "./path/plant.js";
import type { AppliedDiff, ApplyDiffOptions } from "./patch/apply-diff.js";
import type { PatchedFile, PatchFileOptions } from "./patch/patch-file.js";
import { walk, type Tree } from "./path/walk.js";
import type { Transferred, TransferOptions } from "./move/transfer.js";
import type { Removed, RemoveOptions } from "./remove/remove-path.js";
import { findGround, type Ground, type GroundOptions } from "./search/ground.js";
import { holdRoot, type HeldRoot } from "./search/hold-root.js";
import { ignoredFromAbove, type IgnoredFromAbove } from "./search/ignored-from-above.js";
import { lookAgain, type ClaimedFile } from "./search/look-again.js";
import type { FileText } from "./kernel/peek.js";
import { lookIntoFiles } from "./search/look-into-files.js";
import { lookAtNames, type SecondLookOptions } from "./search/look-at-names.js";
import type { FoundName } from "./search/found-name.js";
import type { NameWalk, VisitNames, WalkedNames } from "./search/name-walk.js";
import { walkNames } from "./search/walk-names.js";
import { createReadMarks } from "./stale/read-marks.js";
import { sawFile } from "./stale/saw-file.js";
import { tookBack } from "./stale/took-back.js";
import { createLocks } from "./state/locks.js";
import { sweepTemps } from "./state/sweep-temps.js";
import { createTemps } from "./state/temps.js";
import { HashCache } from "./write/content-hash.js";
import { makeFolders, type MadeFolders, type MakeFoldersOptions } from "./write/make-folders.js";
import { writeFile, type WriteOptions, type Written } from "./write/write-file.js";

export interface FilesOptions {
  /** Absolute, or `~` and below. */
  readonly roots: readonly string[];
  readonly home: string;
  /** Closed whatever the roots say: these paths and all below them. */
  readonly privatePaths?: readonly string[];
  /** Closed at the top of every home, unless a root lies there. */
  readonly deny?: readonly string[];
  /** Whose homes; without it those of /etc/passwd. `home` always counts. */
  readonly homes?: readonly string[];
  /** How long one call on a network mount may take. */
  readonly mountTimeoutMs?: number;
  /** How many calls may hang on network mounts at once. */
  readonly maxAbandoned?: number;
  /** The mount table. */
  readonly mountinfo?: string;
  /** Whether files that others execute may be written. */
  readonly allowExecConfig?: boolean;
  /** Where the running program lies: never written. */
  readonly program?: readonly string[];
  /** The data dir: the undo journal, locks among servers and the names of temporary files. Without it there is no undo. */
  readonly stateDir?: string | null;
  readonly undo?: { readonly enabled: boolean; readonly maxBytes: number; readonly maxAgeHours: number };
  /** Told what does not work as well as it should. */
  readonly onProblem?: (message: string) => void;
  /** What happens when somebody else changed a file since the session read it. */
  readonly staleGuard?: "refuse" | "warn" | "off";
}

export interface LookupOptions {
  /** What a relative path starts from; without it the first root. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

/** The files below the roots. */
export interface Files {
  readonly roots: readonly { readonly path: string; readonly real: string }[];
  /** What the operator should know: roots that were skipped, and why. */
  readonly warnings: readonly string[];
  /** Threads that hang in calls on dead mounts. While there are any, the process ends by a signal only, not by exit(). */
  readonly abandoned: number;
  open(path: string, options?: LookupOptions): Promise<OpenFile>;
  /** Whether anything is there that could be asked for; a path that may not be asked for is an error. */
  exists(path: string, options?: LookupOptions): Promise<boolean>;
  list(path: string, options: ListOptions): Promise<Listing>;
  stat(path: string, options?: LookupOptions): Promise<PathFacts>;
  /** Where a search starts: a folder, or a single file. */
  ground(path: string, options?: GroundOptions): Promise<Ground>;
  /** The root around the ground, held by an O_PATH descriptor for a program that is to see that and nothing above it. */
  holdRoot(ground: Ground): Promise<HeldRoot>;
  /** All names below a folder; `visit` sees those of each folder once, those above before those below. */
  walkNames(ground: Ground, walk: NameWalk, visit: VisitNames): Promise<WalkedNames>;
  /** What the ignore rules of the folders above the ground leave out below it. */
  ignoredFromAbove(ground: Ground, options?: SecondLookOptions): Promise<IgnoredFromAbove>;
  /** Whether these lines stand at these offsets, in files below the ground that may be read. */
  lookAgain(ground: Ground, files: readonly ClaimedFile[], options?: SecondLookOptions): Promise<boolean[][]>;
  /** What has these names now, with size and time; undefined: gone, closed or out of reach. */
  lookAtNames(ground: Ground, ways: readonly Bytes[], options?: SecondLookOptions): Promise<(FoundName | undefined)[]>;
  /** What these files below the ground hold; undefined: gone, closed or out of reach. */
  lookIntoFiles(
    ground: Ground,
    ways: readonly Bytes[],
    options?: SecondLookOptions,
  ): Promise<readonly (FileText | undefined)[]>;
  write(path: string, bytes: Uint8Array, options: WriteOptions): Promise<Written>;
  makeFolders(path: string, options: MakeFoldersOptions): Promise<MadeFolders>;
  patch(path: string, options: PatchFileOptions): Promise<PatchedFile>;
  applyDiff(diff: string, options: ApplyDiffOptions): Promise<AppliedDiff>;
  move(source: string, target: string, options: TransferOptions): Promise<Transferred>;
  copy(source: string, target: string, options: TransferOptions): Promise<Transferred>;
  remove(path: string, options: RemoveOptions): Promise<Removed>;
  /** Takes a change back: that of the id, or the last one of the session. */
  undo(id: string | undefined, options: UndoOptions & { readonly session: string }): Promise<Undone>;
  /** What a sandbox around a program in that folder (a real path) has to keep from it. */
  boundary(cwd: string, signal?: AbortSignal): Promise<Boundary>;
  /** The same, wherever the program works: what it neither reads nor writes. */
  shut(): Promise<readonly Shut[]>;
  /** Removes what killed processes have left and what is too old to be kept. For the start; it never fails. */
  sweep(): Promise<void>;
  /** The session has read this file: from now on it is told when somebody else changes it. */
  saw(session: string, file: OpenFile): Promise<void>;
  /** From now until it is disposed of, what changes is taken for the session's own doing: one of its commands runs. */
  ownWork(session: string): Disposable;
  close(): void;
}

const MOUNT_TIMEOUT_MS = 5000;
const MAX_ABANDONED = 4;
/** How long another server may keep a file to itself. */
const LOCK_WAIT_MS = 10_000;
const UNDO = { enabled: true, maxBytes: 1024 ** 3, maxAgeHours: 72 };

export function openFiles(options: FilesOptions): Files {
  const mounts = new Mounts(options.mountinfo);
  const network = new NetworkThreads({
    timeoutMs: options.mountTimeoutMs ?? MOUNT_TIMEOUT_MS,
    threads: options.maxAbandoned ?? MAX_ABANDONED,
  });
  const { stateDir: dir = null, onProblem } = options;
  const journalDir = dir === null ? null : `${dir}/undo`;
  const keptIn = journalDir === null ? [] : [journalDir];
  const { tree, homes, warnings, uproot } = plantTree({ ...options, keptIn }, mounts);
  const roots = tree.roots.map((root) => ({
    path: textOf(root.path),
    get real() {
      return show(root.real);
    },
  }));
  let closed = false;
  const drivenBy =
    (translate: (thrown: unknown, shown: string) => unknown) =>
    async <T>(steps: Steps<T>, shown: string, signal?: AbortSignal): Promise<T> => {
      try {
        return await drive(steps, network, signal);
      } catch (thrown) {
        throw translate(thrown, shown);
      }
    };
  const executed = new Executed({
    homes,
    program: (options.program ?? []).map(toBytes),
    allowed: options.allowExecConfig ?? false,
  });
  const locks = createLocks({ dir, waitMs: LOCK_WAIT_MS, onProblem });
  const temps = createTemps({ dir, onProblem });
  const marks = createReadMarks({ maxPerOwner: 2000, maxOwners: 100 });
  const journal = createJournal({
    dir: journalDir,
    ...(options.undo ?? UNDO),
    ...{ tree, executed, temps, locks, network },
    onAdopted: () => sweepLeftovers(true),
    onBegun: (id) =>
      onProblem?.(
        `A server was killed in the middle of a change of files: linux.fs_undo takes back what it did, by ${id}`,
      ),
    onTakenBack: (session, steps) => tookBack({ tree, marks }, session, steps),
  });
  const hand: Hand = {
    tree,
    network,
    executed,
    journal,
    locks,
    temps,
    marks,
    hashes: new HashCache(),
    staleGuard: options.staleGuard ?? "refuse",
    ask(path, cwd) {
      if (closed) throw new TypeError("these files are closed");
      const [first] = roots;
      if (first === undefined) throw new NoRootsError();
      const base = cwd === undefined ? first.path : parseArgument(cwd, first.path, options.home).shown;
      return parseArgument(path, base, options.home);
    },
    run: drivenBy(fromErrno),
    change: drivenBy(fromChangeErrno),
  };

  const ended = new AbortController();
  const boundaries = new Boundaries(hand, ended.signal);
  const sweepLeftovers = async (once = false): Promise<void> => {
    if (dir === null) return;
    try {
      const { problems } = await sweepTemps(dir, { mounts, run: (steps) => drive(steps, network), once }, ended.signal);
      for (const problem of problems) onProblem?.(problem);
    } catch (thrown) {
      if (!ended.signal.aborted) onProblem?.(`What killed servers left could not be looked for: ${String(thrown)}`);
    }
  };

  return {
    roots,
    warnings,
    get abandoned() {
      return network.abandoned;
    },
    async open(path, { cwd, signal } = {}) {
      const asked = hand.ask(path, cwd);
      const { file, stat, real } = await hand.run(openRegular(tree, asked), asked.shown, signal);
      return new RegularFile({ path: asked.shown, real, file, stat, network });
    },
    async exists(path, { cwd, signal } = {}) {
      try {
        const asked = hand.ask(path, cwd);
        await hand.run(isThere(tree, asked), asked.shown, signal);
        return true;
      } catch (thrown) {
        if (OpsError.is(thrown) && (thrown.code === "NOT_FOUND" || thrown.code === "NOT_A_DIRECTORY")) return false;
        throw thrown;
      }
    },
    list: (path, wanted) => listFolder(hand, path, wanted),
    stat: (path, wanted) => statPath(hand, path, wanted),
    ground: (path, wanted) => findGround(hand, path, wanted),
    holdRoot: (ground) => holdRoot(hand, ground),
    walkNames: (ground, walk, visit) => walkNames(hand, ground, walk, visit),
    ignoredFromAbove: (ground, wanted) => ignoredFromAbove(hand, ground, wanted),
    lookAgain: (ground, claimed, wanted) => lookAgain(hand, ground, claimed, wanted),
    lookIntoFiles: (ground, ways, wanted) => lookIntoFiles(hand, ground, ways, wanted),
    lookAtNames: (ground, ways, wanted) => lookAtNames(hand, ground, ways, wanted),
    write: (path, bytes, wanted) => explainMissing(hand, wanted, writeFile(hand, path, bytes, wanted)),
    makeFolders: (path, wanted) => makeFolders(hand, path, wanted),
    patch: (path, wanted) => explainMissing(hand, wanted, later.patchFile(hand, path, wanted)),
    applyDiff: (diff, wanted) => explainMissing(hand, wanted, later.applyDiff(hand, diff, wanted)),
    move: (source, target, wanted) => explainMissing(hand, wanted, later.movePath(hand, source, target, wanted)),
    copy: (source, target, wanted) => explainMissing(hand, wanted, later.copyPath(hand, source, target, wanted)),
    remove: (path, wanted) => later.removePath(hand, path, wanted),
    undo: (id, wanted) => (id === undefined ? journal.undoLast(wanted) : journal.undo(id, wanted)),
    boundary: (cwd, signal) => boundaries.around(cwd, signal),
    shut: () => boundaries.shut(),
    sweep: async () => {
      await Promise.all([journal.sweep(), locks.sweep(), sweepLeftovers()]);
    },
    saw: (session, file) => sawFile(hand.marks, session, RegularFile.of(file)),
    ownWork: (session) => marks.ownWork(session),
    close() {
      closed = true;
      ended.abort();
      journal.close();
      locks.close();
      temps.close();
      void drive(uproot(), network).catch(() => {});
      network.end();
    },
  };
}

function* isThere(tree: Tree, asked: Asked): Steps<void> {
  yield* close((yield* walk(tree, asked)).entry);
}
