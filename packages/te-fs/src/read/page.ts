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

interface Shown {
  readonly text: string;
  readonly bytes: number;
  readonly cut: CutLine | undefined;
}

/** The lines of an answer, as many as fit. */
export class Page {
  readonly #options: PageOptions;
  readonly #lines: Shown[] = [];
  /** Index of the first line that is still here. */
  #start = 0;
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
    return keep === "first" && this.#lines.length > 0 && this.#bytes + Math.min(chars, maxLineChars) > maxBytes;
  }

  add(line: Line): void {
    const { keep, maxBytes, maxLines } = this.#options;
    const shown = this.#show(line);
    if (keep === "first" && this.#lines.length > 0 && this.#bytes + shown.bytes > maxBytes) return this.end();
    this.#lines.push(shown);
    this.#bytes += shown.bytes;
    this.#next += 1;
    while (this.#bytes > maxBytes && this.#lines.length - this.#start > 1) this.#drop();
    if (this.#next - this.firstLine >= maxLines && keep === "first") this.end();
  }

  end(): void {
    this.#full = true;
  }

  get firstLine(): number {
    return this.#next - this.count;
  }

  get count(): number {
    return this.#lines.length - this.#start;
  }

  get content(): string {
    return this.#shown()
      .map(({ text }) => text)
      .join("");
  }

  get cutLines(): CutLine[] {
    return this.#shown().flatMap(({ cut }) => (cut === undefined ? [] : [cut]));
  }

  #shown(): readonly Shown[] {
    return this.#lines.slice(this.#start);
  }

  #drop(): void {
    this.#bytes -= this.#lines[this.#start]?.bytes ?? 0;
    this.#lines[this.#start] = { text: "", bytes: 0, cut: undefined };
    this.#start += 1;
  }

  #show({ text, chars, terminator }: Line): Shown {
    const { maxLineChars, maxBytes } = this.#options;
    const kept =
      chars > maxLineChars || Buffer.byteLength(text) > maxBytes ? cutText(text, maxLineChars, maxBytes) : text;
    const cut = kept.length < chars ? { line: this.#next, chars } : undefined;
    const whole = cut === undefined ? kept + terminator : `${kept}…[+${chars - kept.length} chars]${terminator}`;
    return { text: whole, bytes: Buffer.byteLength(whole), cut };
  }
}

/** At most so many characters and bytes, never half a character. */
function cutText(text: string, maxChars: number, maxBytes: number): string {
  const head = text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "");
  const { read } = new TextEncoder().encodeInto(head, new Uint8Array(Math.min(maxBytes, head.length * 3)));
  return head.slice(0, read);
}
