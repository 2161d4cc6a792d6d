import { textOf } from "@llmc/te-run";
import type { OutputRing } from "./output-ring.js";
import { knownPrompts, lastLineOf, learnPrompt, type Prompts } from "./prompts.js";

export interface ReadinessSources {
  readonly ring: OutputRing;
  /** The program's name: some are known. */
  readonly program: string;
  readonly isTerminal: boolean;
  /** Whether the program waits for its input, and has taken all that was sent; undefined: not to be known. */
  readonly waitsForInput: () => boolean | undefined;
}

const LINE_BYTES = 2048;
const COUNTED_BYTES = 256 * 1024;

/** Whether a program has answered what it was last sent, as far as its output and the kernel tell. */
export class Readiness {
  readonly #sources: ReadinessSources;
  readonly #prompts: Prompts[] = [];
  #isTaught = false;
  /** Where the output stood when something was last sent, and how many prompts are the answer to it. */
  #sentAt = 0;
  #owed = 1;
  #lines = 0;

  constructor(sources: ReadinessSources) {
    this.#sources = sources;
    const known = knownPrompts(sources.program);
    if (known !== undefined) this.#prompts.push(known);
  }

  /** To be called before the bytes are sent. An interrupt is answered by one prompt, whatever went before it. */
  sending(lines: number, isInterrupt: boolean): void {
    this.#learn();
    const wasReady = this.isAtPrompt();
    this.#sentAt = this.#sources.ring.total;
    this.#lines = lines;
    this.#owed = Math.max(1, lines) + (wasReady || isInterrupt ? 0 : 1);
  }

  /** The last line is a prompt, and it is the one that answers all that was sent. */
  isAtPrompt(): boolean {
    return this.#promptsAtEnd().some((prompts) => this.#hasAll(prompts));
  }

  /**
   * The kernel says that it waits for more. What it printed before that may still be on its way here, and for longer
   * where a terminal stands between: that is for `atRest`.
   */
  isAtInput(): boolean {
    const { ring, isTerminal, waitsForInput } = this.#sources;
    return !isTerminal && ring.total > this.#sentAt && waitsForInput() === true;
  }

  /** For when nothing has come for a while: which prompt it is does not matter any more. */
  atRest(): "prompt" | "input" | "quiet" {
    if (this.#promptsAtEnd().length > 0) return "prompt";
    return this.#sources.waitsForInput() === true ? "input" : "quiet";
  }

  #promptsAtEnd(): readonly Prompts[] {
    const line = this.#lastLine();
    return this.#prompts.filter(({ ready }) => ready.test(line));
  }

  #hasAll({ each }: Prompts): boolean {
    const text = this.#text(COUNTED_BYTES);
    // A terminal shows what was sent before anything answers it; a prompt by itself was only drawn anew.
    if (this.#sources.isTerminal && !isAtLeast(text, /\n/g, this.#lines)) return false;
    return each === undefined ? this.#owed <= 1 : isAtLeast(text, each, this.#owed);
  }

  /** What stood there before the first input is what this program says when it waits. */
  #learn(): void {
    if (this.#isTaught) return;
    this.#isTaught = true;
    const learned = this.#promptsAtEnd().length > 0 ? undefined : learnPrompt(this.#lastLine());
    if (learned !== undefined) this.#prompts.push(learned);
  }

  #lastLine(): string {
    return lastLineOf(this.#text(LINE_BYTES));
  }

  /** Of what came since something was sent, the end. */
  #text(maxBytes: number): string {
    const { ring, isTerminal } = this.#sources;
    const from = Math.max(this.#sentAt, ring.total - maxBytes);
    return textOf(ring.slice(from, maxBytes).bytes, { isRaw: false, isTerminal });
  }
}

function isAtLeast(text: string, pattern: RegExp, count: number): boolean {
  if (count <= 0) return true;
  let seen = 0;
  for (const _ of text.matchAll(pattern)) {
    seen += 1;
    if (seen >= count) return true;
  }
  return false;
}
