import { closeSync, constants, ftruncateSync, openSync, writeSync } from "node:fs";
import { close, fill, fstat, hasCode, open, type Descriptor, type Work, type ContentMark } from "@llmc/te-path";
import type { Bytes } from "@llmc/names";
import type { Anew, ChangeKind, UndoStep } from "./steps.js";

/** The first line of an entry. */
export interface Head {
  readonly version: 1;
  readonly owner: string;
  readonly session: string;
  readonly kind: ChangeKind;
  /** As the caller spelled them; of very many only the first. */
  readonly paths: readonly string[];
  /** The process that writes it. */
  readonly writer: string;
  /** The entry that this change takes back. */
  readonly takesBack?: string;
}

/** One line of JSON each; the bytes of small content follow their line. */
export type Line =
  | { readonly head: Head }
  | { readonly content: ContentMark }
  | { readonly step: UndoStep }
  | { readonly amended: UndoStep }
  | { readonly struck: true }
  /** It is being taken back: of so many steps the last may still be made, and none after it. */
  | { readonly backTo: number }
  /** When the change was done. */
  | { readonly done: number }
  /** Taken back, by the change of this id; empty: that cannot be taken back. */
  | { readonly undone: string }
  /** Which files were made anew by that: what they were, and what they are. */
  | { readonly became: readonly Anew[] };

/** Where content lies in the log itself. */
export interface Inline {
  readonly at: number;
  readonly size: number;
}

export interface Entry {
  readonly head: Head;
  /** Those that were not taken back for certain. */
  readonly steps: readonly UndoStep[];
  readonly all: readonly UndoStep[];
  readonly inline: ReadonlyMap<string, Inline>;
  readonly doneAt: number | undefined;
  readonly undoneBy: string | undefined;
  readonly became: readonly Anew[];
}

const NEWLINE = 10;
const CHUNK = 64 * 1024;
/** A line that is longer is none of ours. */
const LONGEST_LINE = 16 * 1024 * 1024;
const MAKE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND | constants.O_NOFOLLOW;

/** A log that is being written. Its lines are short and local: they are written at once, so that nothing comes in between. */
export class LogFile {
  readonly #fd: number;
  #size = 0;

  constructor(path: Bytes) {
    this.#fd = openSync(Buffer.from(path, "latin1"), MAKE, 0o600);
  }

  get file(): Descriptor {
    return { fd: this.#fd, mount: null };
  }

  /** Where the bytes lie that follow the last of these lines. All of it is there, or nothing. */
  write(lines: readonly Line[], content?: Uint8Array): Inline {
    const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const bytes = content === undefined ? text : Buffer.concat([text, content, Buffer.from("\n")]);
    const before = this.#size;
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(this.#fd, bytes, done);
      this.#size += bytes.length;
    } catch (thrown) {
      this.#cutTo(before);
      throw thrown;
    }
    return { at: before + text.length, size: content?.length ?? 0 };
  }

  close(): void {
    closeSync(this.#fd);
  }

  #cutTo(size: number): void {
    try {
      ftruncateSync(this.#fd, size);
    } catch {
      // Half a line at the end is read as the end.
    }
  }
}

/** Adds a line to a log that is there. */
export function addLine(path: Bytes, line: Line): void {
  const fd = openSync(Buffer.from(path, "latin1"), constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW);
  try {
    writeSync(fd, `${JSON.stringify(line)}\n`);
  } finally {
    closeSync(fd);
  }
}

/** Undefined where nothing is, or nothing that was written like this. The end may be missing: its writer was killed. */
export function readLog(path: Bytes): Work<Entry | undefined> {
  return read(path, Number.POSITIVE_INFINITY);
}

export function* readHead(path: Bytes): Work<Head | undefined> {
  return (yield* read(path, 1))?.head;
}

function* read(path: Bytes, lines: number): Work<Entry | undefined> {
  let file: Descriptor;
  try {
    file = yield* open(null, path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT")) return undefined;
    throw thrown;
  }
  try {
    return yield* readLines(file, lines);
  } finally {
    yield* close(file);
  }
}

function* readLines(file: Descriptor, lines: number): Work<Entry | undefined> {
  const builder = new EntryBuilder(lines);
  const total = Number((yield* fstat(file)).size);
  let window = CHUNK;
  for (let at = 0; at < total;) {
    const chunk = Buffer.allocUnsafe(Math.min(window, total - at));
    const count = yield* fill(file, chunk, at);
    const used = builder.take(chunk.subarray(0, count), at);
    if (used === undefined || count === 0 || builder.isFull) break;
    // Not even one line fits.
    window = used === 0 ? window * 4 : CHUNK;
    if (window > LONGEST_LINE || (used === 0 && at + count >= total)) break;
    at += used;
  }
  return builder.entry;
}

class EntryBuilder {
  #left: number;
  #head: Head | undefined;
  readonly #steps: UndoStep[] = [];
  #backTo = Number.POSITIVE_INFINITY;
  readonly #inline = new Map<string, Inline>();
  #doneAt: number | undefined;
  #undoneBy: string | undefined;
  readonly #became: Anew[] = [];

  constructor(lines: number) {
    this.#left = lines;
  }

  get isFull(): boolean {
    return this.#left === 0;
  }

  get entry(): Entry | undefined {
    if (this.#head === undefined) return undefined;
    return {
      head: this.#head,
      steps: this.#steps.slice(0, this.#backTo),
      all: this.#steps,
      inline: this.#inline,
      doneAt: this.#doneAt,
      undoneBy: this.#undoneBy,
      became: this.#became,
    };
  }

  /** How much of the chunk was whole lines and the content after them, which may reach beyond it; undefined: no log. */
  take(chunk: Buffer, offset: number): number | undefined {
    let used = 0;
    while (used < chunk.length && this.#left > 0) {
      const end = chunk.indexOf(NEWLINE, used);
      if (end === -1) break;
      const line = parseLine(chunk.toString("utf8", used, end));
      if (line === undefined || !this.#add(line)) return undefined;
      this.#left -= 1;
      used = end + 1;
      if (!("content" in line)) continue;
      const { sha256, size } = line.content;
      this.#inline.set(sha256, { at: offset + used, size });
      used += size + 1;
    }
    return used;
  }

  #add(line: Line): boolean {
    if ("head" in line) this.#head = line.head.version === 1 ? line.head : undefined;
    else if ("step" in line) this.#steps.push(line.step);
    else if ("amended" in line) this.#steps.splice(-1, 1, line.amended);
    else if ("struck" in line) this.#steps.pop();
    else if ("backTo" in line) this.#backTo = line.backTo;
    else if ("done" in line) this.#doneAt = line.done;
    else if ("undone" in line) this.#undoneBy = line.undone;
    else if ("became" in line) this.#became.push(...line.became);
    return this.#head !== undefined;
  }
}

function parseLine(text: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === "object" && line !== null ? (line as Line) : undefined;
  } catch {
    return undefined;
  }
}
