import type { Hit, HitFile } from "../query/content-query.js";
import type { FileSpans } from "../walk/read-spans.js";
import type { Lines, Width } from "./lines.js";

/** Bytes read for each line; a file with longer lines is read from its beginning. */
const LINE_BYTES = 200;
const NEWLINE = 10;

export type ReadSpans = (files: readonly FileSpans[]) => Promise<(readonly Buffer[] | undefined)[]>;

/** Lines wanted around hits. */
export interface Around extends Width {
  readonly maxLineChars: number;
}

/** Reads the lines around each hit at its offset. A file that needs more is missing in the result. */
export async function linesNear(
  read: ReadSpans,
  wanted: ReadonlyMap<HitFile, readonly Hit[]>,
  around: Around,
): Promise<Map<HitFile, Lines>> {
  const files = [...wanted].filter(([, hits]) => hits.every(isWhole));
  const asked = files.map(([{ way }, hits]) => ({ way, spans: hits.map((hit) => spanOf(hit, around)) }));
  const parts = await read(asked);
  const found = new Map<HitFile, Lines>();
  for (const [nth, [file, hits]] of files.entries()) {
    const lines = linesIn(hits, (at) => parts[nth]?.[at], around);
    if (lines !== undefined) found.set(file, lines);
  }
  return found;
}

/** Returns the lines around hits of a text in memory, or undefined if more would have to be read. */
export function linesNearIn(text: Buffer, hits: readonly Hit[], around: Around): Lines | undefined {
  if (!hits.every(isWhole)) return undefined;
  const spans = hits.map((hit) => spanOf(hit, around));
  return linesIn(hits, (at) => text.subarray(spans[at]?.from, spans[at]?.to), around);
}

function linesIn(hits: readonly Hit[], partOf: (hit: number) => Buffer | undefined, around: Around): Lines | undefined {
  const lines = new Map<number, string>();
  const isRead = hits.every((hit, at) => {
    const part = partOf(at);
    return part !== undefined && addLines(lines, new Part(part, spanOf(hit, around)), hit, around);
  });
  if (!isRead) return undefined;
  return new Map([...lines].map(([number, line]) => [number, cutLine(line, around.maxLineChars)]));
}

/** Cuts a line as a read of the file does. */
function cutLine(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  const end = /[\ud800-\udbff]/.test(line[maxChars - 1] ?? "") ? maxChars - 1 : maxChars;
  return `${line.slice(0, end)}…[+${line.length - end} chars]`;
}

function isWhole({ cut, endLine }: Hit): boolean {
  return cut.before === 0 && cut.after === 0 && endLine === undefined;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function spanOf({ offset, text }: Hit, { before, after }: Width): Span {
  const end = offset + Buffer.byteLength(text);
  return { from: Math.max(0, offset - before * LINE_BYTES), to: end + (1 + after) * LINE_BYTES };
}

/** Walks lines in the bytes around a hit. */
class Part {
  readonly #bytes: Buffer;
  readonly #span: Span;

  constructor(bytes: Buffer, span: Span) {
    this.#bytes = bytes;
    this.#span = span;
  }

  /** Returns the end of the hit's line; undefined after a change of the file. */
  endOf({ offset, text }: Hit): number | undefined {
    const end = offset + Buffer.byteLength(text);
    const [at, to] = [offset - this.#span.from, end - this.#span.from];
    if (!this.#bytes.subarray(at, to).equals(Buffer.from(text))) return undefined;
    const next = this.#after(end)?.end;
    return next === undefined || next - end > 1 ? undefined : next;
  }

  /** Returns the line before an offset; null at the beginning of the file, undefined if more bytes are needed. */
  before(offset: number): { readonly text: string; readonly from: number } | null | undefined {
    if (offset === 0) return null;
    const end = offset - 1 - this.#span.from;
    const newline = end <= 0 ? -1 : this.#bytes.lastIndexOf(NEWLINE, end - 1);
    if (newline === -1 && this.#span.from > 0) return undefined;
    const text = this.#text(newline + 1, end);
    return { text: newline === -1 ? text.replace(/^\ufeff/, "") : text, from: this.#span.from + newline + 1 };
  }

  /** Returns the line after an offset; null at the end of the file, undefined if more bytes are needed. */
  behind(end: number): { readonly text: string; readonly end: number } | null | undefined {
    const from = end + 1 - this.#span.from;
    if (from >= this.#bytes.length) return this.#isLast ? null : undefined;
    const line = this.#after(end + 1);
    return line && { text: this.#text(from, line.end - this.#span.from), end: line.end };
  }

  #after(offset: number): { readonly end: number } | undefined {
    const newline = this.#bytes.indexOf(NEWLINE, offset - this.#span.from);
    if (newline === -1 && !this.#isLast) return undefined;
    return { end: this.#span.from + (newline === -1 ? this.#bytes.length : newline) };
  }

  /** Tells whether these bytes reach the end of the file. */
  get #isLast(): boolean {
    return this.#bytes.length < this.#span.to - this.#span.from;
  }

  #text(from: number, to: number): string {
    const text = this.#bytes.toString("utf8", from, to);
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  }
}

/** Returns false if the file has changed, or if more bytes are needed. */
function addLines(lines: Map<number, string>, part: Part, hit: Hit, { before, after }: Width): boolean {
  const end = part.endOf(hit);
  if (end === undefined) return false;
  const own = hit.text.split("\n");
  own.forEach((text, index) => lines.set(hit.line + index, text.replace(/\r$/, "")));
  for (let [nth, at] = [1, hit.offset]; nth <= before; nth += 1) {
    const line = part.before(at);
    if (line === undefined) return false;
    if (line === null) break;
    lines.set(hit.line - nth, line.text);
    at = line.from;
  }
  for (let [nth, at] = [0, end]; nth < after; nth += 1) {
    const line = part.behind(at);
    if (line === undefined) return false;
    if (line === null) break;
    lines.set(hit.line + own.length + nth, line.text);
    at = line.end;
  }
  return true;
}
