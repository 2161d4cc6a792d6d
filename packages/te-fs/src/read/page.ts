import type { Line } from "./long-line.js";

export interface PageOptions {
  readonly maxLines: number;
  /** Of a line that is shown. */
  readonly maxLineChars: number;
  /** Of all lines together, as UTF-8. At least one line is shown, in part if need be. */
  readonly maxBytes: number;
  /** Where the budget runs out: "first" keeps the first lines, "last" makes room for the last ones. */
  readonly keep: "first" | "last";
}

export interface CutLine {
  /** Counted from 1. */
  readonly line: number;
  /** The characters that the whole line has. */
  readonly chars: number;
}

/** One line, or several in a row of which none is cut. */
interface Shown {
  readonly text: string;
  readonly bytes: number;
  readonly lines: number;
  readonly cut: CutLine | undefined;
}

/** The lines of an answer, as many as fit. */
export class Page {
  readonly #options: PageOptions;
  readonly #shown: Shown[] = [];
  /** Index of the first that is still here. */
  #start = 0;
  #count = 0;
  #bytes = 0;
  #next: number;
  #full = false;

  /** `first`: number of the first line, from 1. */
  constructor(first: number, options: PageOptions) {
    this.#next = first;
    this.#options = options;
  }

  get full(): boolean {
    return this.#full;
  }

  /** Whether a line with that many characters cannot be shown any more, so that the rest of it need not be read. */
  cannotHold(chars: number): boolean {
    const { keep, maxBytes, maxLineChars } = this.#options;
    return keep === "first" && this.#count > 0 && this.#bytes + Math.min(chars, maxLineChars) > maxBytes;
  }

  /** How much may be added at once. */
  get room(): { readonly lines: number; readonly bytes: number; readonly bytesOfLine: number } {
    const { keep, maxLines, maxBytes, maxLineChars } = this.#options;
    const bytesOfLine = Math.min(maxLineChars, maxBytes);
    if (keep === "last") return { lines: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY, bytesOfLine };
    return { lines: maxLines - this.#count, bytes: maxBytes - this.#bytes, bytesOfLine };
  }

  /** So many lines, terminators and all, for which there is room. */
  addRun(text: string, bytes: number, lines: number): void {
    this.#push({ text, bytes, lines, cut: undefined });
  }

  add(line: Line): void {
    const { keep, maxBytes } = this.#options;
    const shown = this.#show(line);
    if (keep === "first" && this.#count > 0 && this.#bytes + shown.bytes > maxBytes) return this.end();
    this.#push(shown);
  }

  end(): void {
    this.#full = true;
  }

  get firstLine(): number {
    return this.#next - this.#count;
  }

  get count(): number {
    return this.#count;
  }

  get content(): string {
    return this.#left()
      .map(({ text }) => text)
      .join("");
  }

  get cutLines(): CutLine[] {
    return this.#left().flatMap(({ cut }) => (cut === undefined ? [] : [cut]));
  }

  #left(): readonly Shown[] {
    return this.#shown.slice(this.#start);
  }

  #push(shown: Shown): void {
    const { keep, maxBytes, maxLines } = this.#options;
    this.#shown.push(shown);
    this.#bytes += shown.bytes;
    this.#next += shown.lines;
    this.#count += shown.lines;
    while (this.#bytes > maxBytes && this.#count > 1) this.#drop();
    if (this.#count >= maxLines && keep === "first") this.end();
  }

  /** The first line. */
  #drop(): void {
    const first = this.#shown[this.#start];
    if (first !== undefined && first.lines > 1) this.#shown.splice(this.#start, 1, ...linesOf(first.text));
    this.#bytes -= this.#shown[this.#start]?.bytes ?? 0;
    this.#shown[this.#start] = { text: "", bytes: 0, lines: 0, cut: undefined };
    this.#start += 1;
    this.#count -= 1;
  }

  #show({ text, chars, terminator }: Line): Shown {
    const { maxLineChars, maxBytes } = this.#options;
    const kept =
      chars > maxLineChars || Buffer.byteLength(text) > maxBytes ? cutText(text, maxLineChars, maxBytes) : text;
    const cut = kept.length < chars ? { line: this.#next, chars } : undefined;
    const whole = cut === undefined ? kept + terminator : `${kept}…[+${chars - kept.length} chars]${terminator}`;
    return { text: whole, bytes: Buffer.byteLength(whole), lines: 1, cut };
  }
}

function linesOf(run: string): Shown[] {
  return run.split(/(?<=\n)/).map((text) => ({ text, bytes: Buffer.byteLength(text), lines: 1, cut: undefined }));
}

/** At most so many characters and bytes, never half a character. */
function cutText(text: string, maxChars: number, maxBytes: number): string {
  const head = text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "");
  const { read } = new TextEncoder().encodeInto(head, new Uint8Array(Math.min(maxBytes, head.length * 3)));
  return head.slice(0, read);
}
