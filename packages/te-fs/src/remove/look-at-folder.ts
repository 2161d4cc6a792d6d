import {
  hasCode,
  mayWrite,
  type Descriptor,
  type Work,
  type Progress,
  roomOf,
  survey,
  type Survey,
  type Surveyed,
  withEntry,
  type ExistingTarget,
} from "@llmc/te-path";
import { displayPath, type Bytes } from "@llmc/names";
import { FirstEntries } from "./first-entries.js";

/** Folder directly below the one to be deleted. */
export interface FolderCount {
  readonly name: string;
  /** Number of entries below the folder. */
  readonly entries: number;
}

/** What goes with a name, itself included. */
export interface Contents extends Survey {
  /** What comes first, nearest to the folder and by name; folders end in a slash. */
  readonly names: readonly string[];
  /** Folders among the first names, with their numbers of entries. */
  readonly folders: readonly FolderCount[];
  /** A folder that holds something and lets nothing be taken out of it. */
  readonly stuck: readonly Bytes[] | undefined;
}

export interface LookOptions {
  readonly progress: Progress;
  readonly maxListed?: number | undefined;
}

/** Goes through a folder before anything in it is touched: what cannot be seen is refused while all is whole. */
export function* lookAtFolder(target: ExistingTarget, { progress, maxListed = 0 }: LookOptions): Work<Contents> {
  return yield* withEntry(target, function* (top) {
    const look = new Look(maxListed);
    yield* look.into(top, () => []);
    const { entries, bytes, special } = yield* survey(top, {
      shown: target.shown,
      progress,
      each: (entry) => look.at(entry),
    });
    const total = { entries: entries + 1, bytes: bytes + roomOf(target.found) };
    return { ...total, special, names: look.first.names, folders: look.folders, stuck: look.stuck };
  });
}

class Look {
  readonly first: FirstEntries;
  readonly #maxListed: number;
  readonly #counts = new Map<Bytes, number>();
  stuck: readonly Bytes[] | undefined;
  /** The folder entered last, if it cannot be written to: what is met next shows whether that matters. */
  #shut: readonly Bytes[] | undefined;

  constructor(maxListed: number) {
    this.first = new FirstEntries(maxListed);
    this.#maxListed = maxListed;
  }

  get folders(): readonly FolderCount[] {
    const known = new Set(this.first.names);
    return Array.from(this.#counts, ([name, entries]) => ({ name: `${displayPath(name)}/`, entries }))
      .filter(({ name }) => known.has(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  *at({ way, kind, held }: Surveyed): Work<void> {
    if (this.#shut !== undefined) {
      const { length } = this.#shut;
      if (way().length > length && this.#shut.every((name, at) => way()[at] === name)) this.stuck ??= this.#shut;
      this.#shut = undefined;
    }
    this.first.add(way, kind === "folder");
    if (this.#maxListed > 0) this.#count(way(), kind === "folder");
    if (held !== undefined) yield* this.into(held, way);
  }

  #count([name = "", ...below]: readonly Bytes[], isFolder: boolean): void {
    if (below.length > 0) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    else if (isFolder) this.#counts.set(name, 0);
  }

  *into(folder: Descriptor, way: () => readonly Bytes[]): Work<void> {
    try {
      yield* mayWrite(folder);
    } catch (thrown) {
      if (!hasCode(thrown, "EACCES", "EPERM", "EROFS")) throw thrown;
      this.#shut = way();
    }
  }
}
