import { createHash } from "node:crypto";
import { constants, unlinkSync } from "node:fs";
import {
  close,
  fill,
  fsync,
  hasCode,
  inFolder,
  link,
  lstat,
  open,
  put,
  rename,
  truncate,
  unlink,
  type Descriptor,
  type Stat,
  type Work,
  type Place,
  putSparse,
  sha256OfBytes,
  type ContentMark,
} from "@llmc/te-path";
import type { Bytes } from "@llmc/names";
import { LogFile, type Head, type Line } from "./entry-log.js";
import { heldName, logName } from "./entry-name.js";
import type { Content } from "./held-content.js";
import type { UndoStore } from "./undo-store.js";
import type { Anew } from "./steps.js";

const CHUNK = 1024 * 1024;
// Below that a copy costs less than what could go wrong with a second name for a file that others may have open.
const LINK_FROM = 1024 * 1024;
const MAKE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Content to keep. */
export interface Source {
  /** The file, open for reading, or all of its content. */
  readonly content: Descriptor | Uint8Array;
  readonly stat: Stat;
  /** The name that it is about to lose. */
  readonly at: Place | undefined;
  /** What comes before is not kept. */
  readonly from: number;
  /** The mark of the content, if the caller has it. */
  readonly mark: ContentMark | undefined;
}

/** One entry while it is written. Whatever it throws means that this entry cannot hold what it was to hold. */
export class EntryWriter {
  readonly id: string;
  readonly #store: UndoStore;
  readonly #head: Head;
  readonly #log: LogFile;
  readonly #names: string[] = [];
  #isLogged = true;
  #bytes = 0;
  #parts = 0;
  /** Bytes of content and trees that are held. */
  held = 0;

  constructor(store: UndoStore, id: string, head: Head) {
    this.id = id;
    this.#head = head;
    this.#store = store;
    this.#log = openLog(store, `${store.path}/${logName(id, "open")}`);
    try {
      this.write([{ head }]);
    } catch (thrown) {
      this.withdraw();
      this.#log.close();
      throw thrown;
    }
    store.add(0, 1);
  }

  write(lines: readonly Line[], content?: Uint8Array): number {
    if (!this.#isLogged) return -1;
    const { at, size } = this.#log.write(lines, content);
    this.#bytes = at + size;
    return at;
  }

  /** Small content goes into the log itself: a file of its own would cost more than all the rest. */
  holdInline(mark: ContentMark, bytes: Uint8Array): Content {
    const at = this.write([{ content: mark }], bytes);
    this.#count(mark.size);
    return { file: this.#log.file, at, size: mark.size };
  }

  /** Large content, by a second name where that is safe, else as a copy. */
  *holdFile(source: Source, limit: number): Work<{ readonly mark: ContentMark; readonly content: Content }> {
    const part = this.#newName("part", Number(source.stat.size) - source.from);
    const isLinked = yield* this.#link(source, part);
    const mark = isLinked ? yield* sumOf(source, limit) : yield* this.#copy(source, part, limit);
    const name = heldName(this.id, `${mark.sha256}.${mark.size}`);
    const isNew = !this.#names.includes(name);
    yield* rename(null, this.#path(part), this.#path(name));
    this.#names.splice(this.#names.indexOf(part), 1, ...(isNew ? [name] : []));
    if (isNew) this.#count(mark.size);
    return { mark, content: { path: this.#path(name), at: 0, size: mark.size } };
  }

  /** A name for something that is to be renamed or copied here. */
  place(bytes: number): { readonly kept: string; readonly path: Bytes } {
    const name = this.#newName("kept", bytes);
    this.#count(bytes);
    return { kept: name.slice(this.id.length + 1), path: this.#path(name) };
  }

  /** On the disk, name and all. */
  *sync(content: Content): Work<void> {
    if ("path" in content) yield* syncPath(content.path);
    yield* fsync(this.#log.file);
    yield* syncPath(this.#store.path);
  }

  /** Nobody can take it back from now on; what it holds stays until the end, for whoever wrote it. */
  withdraw(): void {
    if (!this.#isLogged) return;
    this.#isLogged = false;
    unlinkSync(Buffer.from(this.#path(logName(this.id, "open")), "latin1"));
  }

  /** The change is done. */
  *seal(doneAt: number): Work<void> {
    this.write([{ done: doneAt }]);
    yield* rename(null, this.#path(logName(this.id, "open")), this.#path(logName(this.id, "done")));
    this.#store.add(this.#bytes);
    this.#log.close();
  }

  /** Rolled back. Which files were made anew by that is remembered, for whoever takes an earlier change back. */
  *bury(became: readonly Anew[]): Work<void> {
    if (!this.#isLogged || became.length === 0) return yield* this.drop();
    try {
      yield* truncate(this.#log.file, 0);
      this.write([{ head: this.#head }, { became }]);
      yield* rename(null, this.#path(logName(this.id, "open")), this.#path(logName(this.id, "undone")));
      for (const name of this.#names) yield* this.#store.discard(name);
    } finally {
      this.#log.close();
    }
  }

  /** Nothing of it stays. */
  *drop(): Work<void> {
    try {
      this.withdraw();
      for (const name of this.#names) yield* this.#store.discard(name);
    } finally {
      this.#log.close();
    }
  }

  /** Where the file has no other name than the one it is about to lose, nobody changes it in place afterwards. */
  *#link({ stat, at }: Source, part: string): Work<boolean> {
    if (at === undefined || stat.size < LINK_FROM || stat.nlink !== 1n || stat.dev !== this.#store.dev) return false;
    const path = this.#path(part);
    try {
      yield* link(at.parent.mount, inFolder(at.parent, at.name), path);
    } catch (thrown) {
      // Another mount of the same file system; a file of somebody else's (fs.protected_hardlinks).
      if (hasCode(thrown, "EXDEV", "EPERM", "EACCES", "EMLINK", "ENOENT", "ENOTSUP", "EOPNOTSUPP")) return false;
      throw thrown;
    }
    const found = yield* lstat(null, path);
    if (found?.dev === stat.dev && found.ino === stat.ino) return true;
    // Something else has the name by now; the open file is the one that was judged.
    yield* unlink(null, path);
    return false;
  }

  *#copy(source: Source, part: string, limit: number): Work<ContentMark> {
    const to = yield* open(null, this.#path(part), MAKE);
    const isSparse = source.stat.blocks * 512n < source.stat.size;
    try {
      const mark = yield* sumOf(source, limit, (bytes, at) => (isSparse ? putSparse(to, bytes, at) : put(to, bytes)));
      if (isSparse) yield* truncate(to, mark.size);
      return mark;
    } finally {
      yield* close(to);
    }
  }

  #count(bytes: number): void {
    this.held += bytes;
    this.#store.add(bytes);
  }

  #newName(kind: "part" | "kept", bytes: number): string {
    const name = heldName(this.id, `${kind}-${this.#parts++}.${bytes}`);
    this.#names.push(name);
    return name;
  }

  #path(name: string): Bytes {
    return `${this.#store.path}/${name}`;
  }
}

function openLog(store: UndoStore, path: Bytes): LogFile {
  store.ready();
  try {
    return new LogFile(path);
  } catch (thrown) {
    if (!hasCode(thrown, "ENOENT")) throw thrown;
  }
  store.ready(true);
  return new LogFile(path);
}

/** What is to be done with each part of it, and where in the copy that lies. */
type Use = (bytes: Uint8Array, at: number) => Work<void>;

/** The mark of what is to be kept, which may be used on the way. */
function* sumOf({ content, from, mark }: Source, limit: number, use?: Use): Work<ContentMark> {
  if (content instanceof Uint8Array) {
    for (let at = 0; use !== undefined && at < content.length; at += CHUNK)
      yield* use(content.subarray(at, at + CHUNK), at);
    return mark ?? markOf(content);
  }
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(CHUNK);
  let size = 0;
  for (;;) {
    const count = yield* fill(content, chunk, from + size);
    if (count === 0) return { sha256: hash.digest("hex"), size };
    const bytes = chunk.subarray(0, count);
    hash.update(bytes);
    if (use !== undefined) yield* use(bytes, size);
    size += count;
    // It grows while it is read.
    if (size > limit) throw Object.assign(new Error("the file grows"), { code: "EFBIG" });
  }
}

export function markOf(bytes: Uint8Array): ContentMark {
  return { sha256: sha256OfBytes(bytes), size: bytes.length };
}

function* syncPath(path: Bytes): Work<void> {
  const file = yield* open(null, path, constants.O_RDONLY);
  try {
    yield* fsync(file);
  } finally {
    yield* close(file);
  }
}
