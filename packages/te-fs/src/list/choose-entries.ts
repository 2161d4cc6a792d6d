import type { ListedEntry, ListedFolder, Listing } from "./listing.js";

/** Chosen entries by folder, breadth first; a folder that is missing is folded. */
export type Selection = ReadonlyMap<ListedFolder, readonly ListedEntry[]>;

/** Folders that tools fill and people rarely read. */
const FILLED = /\/(?:node_modules|bower_components|\.git|\.hg|__pycache__|\.?venv|\.tox|\.(?:mypy|pytest|ruff)_cache)$/;
const MANY = 20;

/**
 * Chooses the entries of the listed folder, then of its folders, level by level. If a level does not fit, small folders
 * go first. A folder that does not fit as a whole, or that tools fill, gets only the room that is left.
 */
export function selectLevels({ folders }: Listing, most: number): Selection {
  const room = new Room(most);
  const chosen = new Map<ListedFolder, readonly ListedEntry[]>();
  let level = folders.slice(0, 1);
  for (const top of level) chosen.set(top, room.first(top));
  while (level.length > 0) {
    const below = level.flatMap((folder) => foldersIn(chosen.get(folder)));
    const bySize = below.toSorted((a, b) => a.count - b.count);
    const open = new Set(bySize.filter((folder) => !isFilled(folder) && isKept(folder) && room.takes(folder)));
    level = below.filter((folder) => open.has(folder));
    for (const folder of level) chosen.set(folder, folder.entries);
  }
  fill(folders, chosen, room);
  return new Map(folders.flatMap((folder) => (chosen.has(folder) ? [[folder, chosen.get(folder) ?? []]] : [])));
}

/** Chooses the first entries in order, because a caller with a glob wants to see its matches. */
export function selectFirst({ folders }: Listing, most: number): Selection {
  const room = new Room(most);
  return new Map(folders.map((folder) => [folder, room.first(folder)]));
}

/** Counts entries in and below a folder that were not chosen. */
export function leftOutOf(selection: Selection, { contents }: ListedEntry): number {
  if (contents === undefined) return 0;
  const shown = selection.get(contents) ?? [];
  return shown.reduce((left, each) => left - 1 - (each.contents?.total ?? 0), contents.total);
}

/** Gives the remaining room to folders of chosen entries, upper folders first. */
function fill(folders: readonly ListedFolder[], chosen: Map<ListedFolder, readonly ListedEntry[]>, room: Room): void {
  const reached = new Set([...chosen.values()].flatMap(foldersIn));
  for (const folder of folders) {
    if (room.isFull) return;
    if (chosen.has(folder) || !reached.has(folder)) continue;
    const first = room.first(folder);
    chosen.set(folder, first);
    for (const below of foldersIn(first)) reached.add(below);
  }
}

function foldersIn(entries: readonly ListedEntry[] = []): ListedFolder[] {
  return entries.flatMap(({ contents }) => contents ?? []);
}

function isFilled({ path, total }: ListedFolder): boolean {
  return total > MANY && FILLED.test(path);
}

function isKept({ entries, count }: ListedFolder): boolean {
  return entries.length === count;
}

/** Counts down the entries that an answer has room for. */
class Room {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  get isFull(): boolean {
    return this.#left === 0;
  }

  /** Takes as many entries of a folder as there is room for. */
  first({ entries }: ListedFolder): readonly ListedEntry[] {
    const first = entries.slice(0, this.#left);
    this.#left -= first.length;
    return first;
  }

  /** Takes all entries of a folder, or none. */
  takes({ count }: ListedFolder): boolean {
    if (count > this.#left) return false;
    this.#left -= count;
    return true;
  }
}
