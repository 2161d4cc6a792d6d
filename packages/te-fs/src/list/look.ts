import { kindOf } from "../kernel/kind.js";
import type { Looked, Unseen } from "../kernel/look-all.js";
import { lookAll, type Bytes, type Steps } from "../kernel/syscalls.js";
import { join, show } from "../path/names.js";
import type { Tree } from "../path/walk.js";
import type { Entered } from "./descent.js";
import type { Entry, Folder } from "./folder.js";
import type { EntryType } from "./listing.js";

const LOOKS_AT_ONCE = 256;

export interface Seen {
  readonly entries: Entry[];
  /** The folders among them. */
  readonly folders: Map<Bytes, Entry>;
  /** Those on which network file systems are mounted: nothing was asked about them yet. */
  readonly mounted: Map<Bytes, Entry>;
  /** Names that were looked at, whatever came of it. */
  looked: number;
}

/** Looks at names of a folder that is held, many in one go: at the first in any case, at more while there is time. */
export function* look(
  tree: Tree,
  folder: Folder,
  held: Entered,
  names: readonly Bytes[],
  deadline: number,
): Steps<Seen> {
  const seen: Seen = { entries: [], folders: new Map(), mounted: new Map(), looked: 0 };
  const points = tree.mounts.networkIn(folder.real);
  while (seen.looked < names.length && (seen.looked === 0 || performance.now() < deadline)) {
    const some = names.slice(seen.looked, seen.looked + LOOKS_AT_ONCE);
    seen.looked += some.length;
    const asked = some.filter((name) => !points.has(name));
    const found = yield* lookAll(held.folder, asked);
    const ours = yield* tree.closed.oursAmong(
      found.flatMap((each) => (isSeen(each) ? each.stat : [])),
      held.folder.mount,
    );
    let at = 0;
    for (const name of some) {
      if (points.has(name)) note(seen, name, { name: show(name), type: "dir" }, seen.mounted);
      else {
        const each = found[at++];
        if (each === undefined || (isSeen(each) && ours.has(each.stat))) continue;
        note(seen, name, entryOf(tree, folder, held, name, each));
      }
    }
  }
  return seen;
}

function note({ entries, folders }: Seen, name: Bytes, entry: Entry, also?: Map<Bytes, Entry>): void {
  entries.push(entry);
  if (entry.type === "dir") folders.set(name, entry);
  also?.set(name, entry);
}

function entryOf(tree: Tree, folder: Folder, held: Entered, name: Bytes, found: Looked | Unseen): Entry {
  const shown = show(name);
  if (!isSeen(found)) return { name: shown, type: "other", problem: problemOf(found.code) };
  const { stat, target } = found;
  const type = TYPES[kindOf(stat)] ?? "other";
  const entry: Entry = { name: shown, type, mtimeMs: Number(stat.mtimeNs / 1_000_000n) };
  if (type === "file") entry.size = Number(stat.size);
  if (target !== undefined) entry.target = show(target);
  const isKernels = stat.dev !== held.stat.dev && tree.mounts.kernelType(stat.dev) !== undefined;
  if (isKernels || (folder.real === "/" && tree.closed.isSystem(join("/", name)))) entry.problem = CLOSED;
  return entry;
}

const TYPES: Readonly<Record<string, EntryType>> = { file: "file", folder: "dir", link: "symlink" };

/** What the kernel makes up as it is read, below /proc, /sys and /dev. */
export const CLOSED = "always closed";

export function problemOf(code: string): string {
  return code === "EACCES" || code === "EPERM" ? "permission denied" : `cannot be read: ${code}`;
}

function isSeen(found: Looked | Unseen | undefined): found is Looked {
  return found !== undefined && "stat" in found;
}
