import type { Work, Scope, Entered } from "@llmc/te-path";
import type { Bytes } from "@llmc/names";
import { eachLookedAt, eachName, isLateLook, type TakeNames } from "./each-name.js";
import { FirstNames, type NamesRoom } from "./first-names.js";
import type { Entry, Folder, Room } from "./folder.js";
import { look } from "./look.js";
import type { ListFilter } from "./list-filter.js";

/** What reading needs to know beside the folder. */
export interface Reader {
  readonly scope: Scope;
  readonly filter: ListFilter;
  /** Names that no list shows, by their folder. */
  readonly closed: ReadonlyMap<Bytes, ReadonlySet<Bytes>>;
  readonly room: Room;
  /** How many entries of the listed folder are kept when there is no room for all. */
  readonly maxEntries: number;
  readonly maxDepth: number;
  /** No entry is looked at after it. */
  readonly deadline: number;
}

/** What came of one folder. */
export interface Read {
  /** Folders in it that are to be entered, with their entries. */
  readonly enter: readonly (readonly [name: Bytes, entry: Entry | undefined])[];
  /** Folders that there was no room to remember. */
  readonly notEntered: number;
  readonly hidden: number;
  readonly ignored: number;
  readonly mounted: ReadonlyMap<Bytes, Entry>;
}

/** About what an entry takes beside its path, here and as JSON. */
const ENTRY_BYTES = 80;
const LONGEST_NAME = 255;
/** For the names of sub-folders: some ten thousand. */
const ENTER_ROOM: NamesRoom = { bytesBeside: ENTRY_BYTES, forAll: 8 * 1024 * 1024, forSome: 4 * 1024 * 1024 };

/** The names first, then a look at those that are kept. */
export function* readFolder(reader: Reader, folder: Folder, held: Entered): Work<Read> {
  const { listed, enter, hidden, ignored } = yield* namesIn(reader, folder, held);
  const most = mostOf(reader, folder, listed);
  const seen = yield* look(reader.scope, folder, held, listed, { most, deadline: reader.deadline });
  if (seen.isCut) reader.room.close();
  folder.entries = seen.entries;
  folder.count = listed.count - seen.gone;
  return {
    enter: Array.from(enter.folders(), (name) => [name, seen.folders.get(name)] as const).filter(
      // What is no folder after all, or closed, is not entered.
      ([name, entry]) => !seen.noFolders.has(name) && entry?.problem === undefined,
    ),
    notEntered: enter.lost,
    hidden,
    ignored,
    mounted: seen.mounted,
  };
}

interface Names {
  readonly listed: FirstNames;
  readonly enter: FirstNames;
  hidden: number;
  ignored: number;
}

function* namesIn(reader: Reader, folder: Folder, held: Entered): Work<Names> {
  const reading = takerFor(reader, folder);
  try {
    yield* eachName(held, reading.take);
    return reading.names;
  } catch (thrown) {
    if (!isLateLook(thrown)) throw thrown;
  }
  const again = takerFor(reader, folder);
  yield* eachLookedAt(held.folder, again.take);
  return again.names;
}

function takerFor(reader: Reader, folder: Folder): { readonly names: Names; readonly take: TakeNames } {
  const { filter, maxDepth } = reader;
  const listed = new FirstNames(roomFor(reader, folder));
  const enter = new FirstNames(ENTER_ROOM);
  const names = { listed, enter, hidden: 0, ignored: 0 };
  const below = { way: folder.way, closed: reader.closed.get(folder.real), ignore: folder.ignore };
  const take: TakeNames = (some) => {
    for (const { name, isFolder } of some) {
      const verdict = filter(below, name, isFolder);
      if (verdict === "list" || verdict === "leaf") listed.add(name, isFolder);
      if (isFolder && folder.depth < maxDepth && (verdict === "list" || verdict === "pass")) enter.add(name, true);
      if (verdict === "hidden" || verdict === "ignored") names[verdict] += 1;
    }
  };
  return { names, take };
}

function roomFor({ room, maxEntries }: Reader, { depth, path }: Folder): NamesRoom {
  const bytesBeside = ENTRY_BYTES + path.length;
  const forSome = depth === 0 ? maxEntries * (bytesBeside + LONGEST_NAME) : 0;
  return { bytesBeside, forAll: room.left, forSome };
}

/** How many entries are looked at: all, or of the listed folder as many as can be shown. */
function mostOf({ room, maxEntries }: Reader, { depth }: Folder, listed: FirstNames): number {
  if (listed.lost === 0 && room.take(listed.bytes)) return Number.POSITIVE_INFINITY;
  room.close();
  return depth === 0 ? maxEntries : 0;
}
