import { constants } from "node:fs";
import { InvalidPathError } from "@llmc/errors";
import { type Bytes, displayPath, displayBelow } from "@llmc/names";
import { fromChangeErrno } from "../kernel/errno.js";
import type { ContentMark } from "../content/content-hash.js";
import { kindOf } from "../kernel/kind.js";
import {
  close,
  fstat,
  fsync,
  hasCode,
  inFolder,
  lstat,
  mkdir,
  open,
  steadily,
  type Descriptor,
  type Stat,
  type Work,
} from "../kernel/syscalls.js";
import { FOLDER, LOOK } from "../scope/root.js";
import { removeTree } from "../tree/remove-tree.js";
import { HeldFolders } from "../tree/held-folders.js";
import type { Progress } from "../tree/progress.js";
import { walkBelow, type Met, type MetFolder, type Visitor } from "../tree/walk-below.js";
import { copyAttributes } from "./copy-attributes.js";
import { copyLeaf } from "./copy-leaf.js";
import type { Fingerprints } from "./fingerprints.js";
import type { Name } from "./name.js";
import { HardLinks } from "./hard-links.js";
import type { TreeMarks } from "./tree-marks.js";

export interface CopyTreeOptions {
  /** Holds what the name means, whatever it means by now. */
  readonly entry?: Descriptor | undefined;
  /** The source, for errors. */
  readonly shown: string;
  /** All of it on the disk when it returns: the source will be removed. */
  readonly durable: boolean;
  /** Keep setuid and setgid of files as well. */
  readonly privileges: boolean;
  readonly progress: Progress;
  /** Judges what is about to be copied; what it throws ends the copy. */
  readonly judge: (stat: Stat, mount: Bytes | null, shown: () => string) => Work<void>;
  /** Notes each state that was copied. */
  readonly seen?: Fingerprints;
  /** Notes what the copy is made of. */
  readonly marks?: TreeMarks | undefined;
}

export interface Copied {
  readonly entries: number;
  readonly bytes: number;
  /** Where the copy is a file. */
  readonly content?: ContentMark | undefined;
}

const BUFFER = 1024 * 1024;
const NO_MORE = ["ENOSPC", "EDQUOT", "EROFS", "EFBIG", "EMLINK"];

/**
 * Copies a file, a link, or a folder with all below it to a name that nothing has. Links are copied as links, what has
 * several names in the tree stays one file. After a failure nothing of the copy is left.
 */
export function* copyTree(from: Name, to: Name, options: CopyTreeOptions): Work<Copied> {
  const copier = new Copier(options);
  // Nothing of somebody else's may be taken for what is left of a copy.
  if ((yield* lstat(to.folder.mount, inFolder(to.folder, to.name))) !== undefined)
    throw Object.assign(new Error("the name of the copy is taken"), { code: "EEXIST" });
  try {
    yield* options.entry === undefined
      ? withName(from, (entry) => copier.copy(entry, from, to))
      : copier.copy(options.entry, from, to);
  } catch (thrown) {
    yield* steadily(discard(to));
    throw thrown;
  }
  return copier.copied;
}

function* withName({ folder, name }: Name, work: (entry: Descriptor) => Work<void>): Work<void> {
  const entry = yield* open(folder.mount, inFolder(folder, name), LOOK);
  try {
    yield* work(entry);
  } finally {
    yield* close(entry);
  }
}

/** Removes what a copy has become; false when it is still there, or nobody can say. */
export function* discard({ folder, name }: Name): Work<boolean> {
  try {
    yield* removeTree({ parent: folder, name }, { shown: displayPath(name) });
    return true;
  } catch {
    return false;
  }
}

class Copier implements Visitor {
  readonly #options: CopyTreeOptions;
  readonly #buffer = Buffer.allocUnsafe(BUFFER);
  /** Goes through the copy as the walk goes through the source. */
  #twin: HeldFolders | undefined;
  #names: HardLinks | undefined;
  /** The copy itself, which must not be met on the way. */
  #own: Stat | undefined;
  #entries = 0;
  #bytes = 0;
  #content: ContentMark | undefined;

  constructor(options: CopyTreeOptions) {
    this.#options = options;
  }

  get copied(): Copied {
    return { entries: this.#entries, bytes: this.#bytes, content: this.#content };
  }

  *copy(entry: Descriptor, from: Name, to: Name): Work<void> {
    const stat = yield* fstat(entry);
    if (kindOf(stat) !== "folder")
      return yield* this.#told(
        () => [],
        this.#leaf(entry, from, to, () => []),
      );
    yield* this.#options.judge(stat, entry.mount, () => this.#options.shown);
    const top = yield* makeFolder(to);
    try {
      this.#own = yield* fstat(top);
      this.#names = new HardLinks(top, this.#own);
      this.#twin = new HeldFolders(top, this.#own);
      yield* walkBelow(entry, this, { shown: this.#options.shown });
      yield* this.#finish(top, stat);
    } finally {
      if (this.#twin !== undefined) yield* this.#twin.close();
      yield* close(top);
    }
  }

  *leaf({ parent, name, way }: Met): Work<void> {
    let entry: Descriptor;
    try {
      entry = yield* open(parent.mount, inFolder(parent, name), LOOK);
    } catch (thrown) {
      // Gone since it was listed.
      if (hasCode(thrown, "ENOENT")) return;
      throw thrown;
    }
    try {
      yield* this.#told(way, this.#leaf(entry, { folder: parent, name }, { folder: this.#ladder.here, name }, way));
    } finally {
      yield* close(entry);
    }
  }

  *enter({ parent, name, stat, way }: MetFolder): Work<void> {
    if (stat.dev === this.#own?.dev && stat.ino === this.#own.ino)
      throw new InvalidPathError(this.#options.shown, "would be copied into itself", "Choose a target outside of it.");
    yield* this.#options.judge(stat, parent.mount, () => displayBelow(this.#options.shown, way()));
    const here = this.#ladder.here;
    yield* this.#told(way, mkdir(here.mount, inFolder(here, name), 0o700));
    yield* this.#ladder.down(name);
  }

  *leave({ stat, way }: MetFolder): Work<undefined> {
    this.#options.marks?.add(way(), "folder");
    yield* this.#finish(this.#ladder.here, stat);
    yield* this.#ladder.up();
  }

  get #ladder(): HeldFolders {
    return this.#twin as HeldFolders;
  }

  *#leaf(entry: Descriptor, from: Name, to: Name, way: () => Bytes[]): Work<void> {
    const stat = yield* fstat(entry);
    const linked = this.#names !== undefined && (yield* this.#names.link(stat, to));
    const { durable, privileges, judge, marks } = this.#options;
    if (linked) marks?.add(way(), marks.recall(stat) ?? kindOf(stat));
    else {
      const shown = () => displayBelow(this.#options.shown, way());
      const { before, made, sha256 } = yield* copyLeaf(entry, stat, from, to, {
        shown,
        durable,
        privileges,
        buffer: this.#buffer,
        progress: (bytes) => this.#tick(bytes),
        judge: (opened, mount) => judge(opened, mount, shown),
      });
      this.#names?.remember(before, way, made);
      this.#options.seen?.add(before);
      marks?.add(way(), sha256 ?? kindOf(before));
      if (sha256 !== undefined) marks?.remember(before, sha256);
      if (sha256 !== undefined && this.#twin === undefined) this.#content = { sha256, size: Number(before.size) };
      this.#bytes += Number(before.size);
    }
    this.#count();
  }

  /** A folder gets its mode and time last: with them it might take nothing more, and every entry changes its time. */
  *#finish(folder: Descriptor, stat: Stat): Work<void> {
    const made = yield* open(folder.mount, inFolder(folder, "."), constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      yield* copyAttributes(made, stat, true);
      if (this.#options.durable) yield* fsync(made);
    } finally {
      yield* close(made);
    }
    this.#count();
  }

  /** Where the disk takes no more, it is not the source that could not be written. */
  *#told(way: () => Bytes[], work: Work<void>): Work<void> {
    try {
      yield* work;
    } catch (thrown) {
      const path = displayBelow(this.#options.shown, way());
      throw fromChangeErrno(thrown, hasCode(thrown, ...NO_MORE) ? `the copy of ${path}` : path);
    }
  }

  /** `more` of a file that is not yet counted. */
  #tick(more: number): void {
    this.#options.progress.tick(() => `${this.#entries} entries copied, ${this.#bytes + more} bytes`);
  }

  #count(): void {
    this.#entries += 1;
    this.#tick(0);
  }
}

function* makeFolder({ folder, name }: Name): Work<Descriptor> {
  yield* mkdir(folder.mount, inFolder(folder, name), 0o700);
  return yield* open(folder.mount, inFolder(folder, name), FOLDER);
}
