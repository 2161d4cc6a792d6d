import { OpsError } from "@llmc/errors";
import {
  kindOf,
  type Looked,
  type Unseen,
  lstatMany,
  type Work,
  type Scope,
  type Entered,
  ClosedHereError,
} from "@llmc/te-path";
import { type Bytes, join, displayPath } from "@llmc/names";
import type { Entry, Folder } from "./folder.js";
import type { EntryType } from "./listing.js";

const LOOKS_AT_ONCE = 256;

export interface Seen {
  readonly entries: Entry[];
  /** The folders among them. */
  readonly folders: Map<Bytes, Entry>;
  /** What was a folder when it was listed, and is none any more. */
  readonly noFolders: Set<Bytes>;
  /** Those on which network file systems are mounted: nothing was asked about them yet. */
  readonly mounted: Map<Bytes, Entry>;
  /** Names that are gone by now, or that nobody is told of. */
  gone: number;
  /** Time was up before all were looked at. */
  isCut: boolean;
}

export interface LookOptions {
  /** How many names are looked at. */
  readonly most: number;
  /** The first are looked at in any case, more only before it. */
  readonly deadline: number;
}

/** Looks at names of a folder that is held, many in one go. */
export function* look(
  scope: Scope,
  folder: Folder,
  held: Entered,
  names: { folders(): Iterable<Bytes>; others(): Iterable<Bytes> },
  { most, deadline }: LookOptions,
): Work<Seen> {
  const seen: Seen = {
    entries: [],
    folders: new Map(),
    noFolders: new Set(),
    mounted: new Map(),
    gone: 0,
    isCut: false,
  };
  let looked = 0;
  for (const { some, folders } of inBatches(names)) {
    const asked = some.slice(0, most - looked);
    seen.isCut = looked > 0 && asked.length > 0 && performance.now() > deadline;
    if (asked.length === 0 || seen.isCut) break;
    looked += asked.length;
    yield* lookAtSome(scope, folder, held, asked, seen);
    for (const name of asked.slice(0, folders)) if (!seen.folders.has(name)) seen.noFolders.add(name);
  }
  seen.gone = looked - seen.entries.length;
  return seen;
}

function* lookAtSome(scope: Scope, folder: Folder, held: Entered, some: readonly Bytes[], seen: Seen): Work<void> {
  const points = scope.mounts.networkIn(folder.real);
  const asked = points.size === 0 ? some : some.filter((name) => !points.has(name));
  const found = yield* lstatMany(held.folder, asked);
  const ours = yield* scope.forbidden.oursAmong(
    found.flatMap((each) => (isSeen(each) ? each.stat : [])),
    held.folder.mount,
  );
  let at = 0;
  for (const name of some) {
    const each = points.has(name) ? MOUNTED : found[at++];
    if (each === MOUNTED) noteMounted(seen, name);
    else if (each !== undefined && !(isSeen(each) && ours.has(each.stat)))
      note(seen, name, entryOf(scope, folder, held, name, each));
  }
}

/** Nothing is asked about it here. */
const MOUNTED: Unseen = { code: "mounted" };

interface Batch {
  readonly some: readonly Bytes[];
  /** So many of them, the first, were folders when they were listed. */
  readonly folders: number;
}

function* inBatches(names: { folders(): Iterable<Bytes>; others(): Iterable<Bytes> }): Generator<Batch> {
  let some: Bytes[] = [];
  let folders = 0;
  for (const kind of ["folders", "others"] as const) {
    for (const name of names[kind]()) {
      some.push(name);
      if (kind === "folders") folders = some.length;
      if (some.length < LOOKS_AT_ONCE) continue;
      yield { some, folders };
      some = [];
      folders = 0;
    }
  }
  if (some.length > 0) yield { some, folders };
}

function note({ entries, folders }: Seen, name: Bytes, entry: Entry): void {
  entries.push(entry);
  if (entry.type === "dir") folders.set(name, entry);
}

function noteMounted(seen: Seen, name: Bytes): void {
  const entry: Entry = { name: displayPath(name), type: "dir" };
  note(seen, name, entry);
  seen.mounted.set(name, entry);
}

function entryOf(scope: Scope, folder: Folder, held: Entered, name: Bytes, found: Looked | Unseen): Entry {
  const shown = displayPath(name);
  if (!isSeen(found)) return { name: shown, type: "other", problem: problemOf(found.code) };
  const { stat, target } = found;
  const type = typeOf(stat);
  const entry: Entry = { name: shown, type, mtimeMs: Number(stat.mtimeNs / 1_000_000n) };
  if (type === "file") entry.size = Number(stat.size);
  if (target !== undefined) entry.target = displayPath(target);
  const isKernels = stat.dev !== held.stat.dev && scope.mounts.kernelType(stat.dev) !== undefined;
  if (isKernels || (folder.real === "/" && scope.forbidden.isSystem(join("/", name)))) entry.problem = CLOSED;
  return entry;
}

export function typeOf(stat: Looked["stat"]): EntryType {
  return TYPES[kindOf(stat)] ?? "other";
}

const TYPES: Readonly<Record<string, EntryType>> = { file: "file", folder: "dir", link: "symlink" };

/** What the kernel makes up as it is read, below /proc, /sys and /dev. */
export const CLOSED = "always closed";

export function problemOf(code: string): string {
  return code === "EACCES" || code === "EPERM" ? "permission denied" : `cannot be read: ${code}`;
}

/** Returns the message for a folder that cannot be read; throws internal errors on. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof ClosedHereError) return CLOSED;
  if (OpsError.is(thrown)) {
    if (thrown.code === "INVALID_PATH") return CLOSED;
    return thrown.code === "PERMISSION_DENIED" ? problemOf("EACCES") : thrown.message;
  }
  const { code, syscall } = thrown as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) throw thrown;
  return problemOf(code);
}

export function isSeen(found: Looked | Unseen | undefined): found is Looked {
  return found !== undefined && "stat" in found;
}
