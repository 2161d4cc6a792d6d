import type { InputWait } from "@llmc/procfs";
import { textOf } from "@llmc/te-run";
import type { OutputRing } from "./output-ring.js";
import { knownPrompts, lastLineOf, learnPrompt, type Prompts } from "./prompts.js";

export interface ReadinessSources {
  readonly ring: OutputRing;
  /** The program's name: some are known. */
  readonly program: string;
  readonly isTerminal: boolean;
  /** The kernel's word on its input; undefined where it has none. */
  readonly input: () => InputWait | undefined;
}

/** A program that has answered what it was sent, and waits for more. */
export interface Ready {
  readonly why: "prompt" | "input";
  /** All that was sent has its answer here. */
  readonly isSure: boolean;
  /** Else the last bytes may still be on their way here: the output has to be still for so long. */
  readonly stillMs: number;
}

const NEWLINE = 0x0a;
const LINE_BYTES = 2048;
const COUNTED_BYTES = 256 * 1024;
/** A terminal hands its output over a moment later. */
const TERMINAL_MS = 50;
const COUNTED_MS = 50;
/** Most terminals show the input: one that shows nothing may not have it yet. */
const NO_ECHO_MS = 300;

/** Whether a program has answered what it was last sent, as far as its output and the kernel tell. */
export class Readiness {
  readonly #sources: ReadinessSources;
  readonly #known: Prompts | undefined;
  #learned: Prompts | undefined;
  #isTaught = false;
  #hasPrompted = false;
  /** Where the output stood when something was last sent, and how many prompts are the answer to it. */
  #sentAt = 0;
  #owed = 1;
  #lines = 0;
  #isAnswered = false;

  constructor(sources: ReadinessSources) {
    this.#sources = sources;
    this.#known = knownPrompts(sources.program);
  }

  /** Whether no answer has told that the program waits since its start or its last input. */
  get isOwing(): boolean {
    return !this.#isAnswered;
  }

  /** Whether it ever showed a prompt. */
  get hasPrompted(): boolean {
    return this.#hasPrompted;
  }

  /** Whether the last line is not ended yet. */
  get isMidLine(): boolean {
    const { ring } = this.#sources;
    return ring.total > 0 && ring.slice(ring.total - 1, 1).bytes[0] !== NEWLINE;
  }

  /** To be called before the bytes are sent. An interrupt is answered by one prompt, whatever went before it. */
  sending(lines: number, isInterrupt: boolean): void {
    this.#learn();
    const text = this.#text(COUNTED_BYTES);
    const seen = Math.max(0, ...this.#prompts([]).map((prompts) => prompts.count(text)));
    this.#owed = (isInterrupt ? 1 : Math.max(0, this.#owed - seen)) + lines;
    this.#sentAt = this.#sources.ring.total;
    this.#lines = lines;
    this.#isAnswered = false;
  }

  /** Notes that an answer tells that the program waits. */
  answered(): void {
    this.#isAnswered = true;
    this.#owed = 0;
  }

  /** Undefined while the program works, and where neither the kernel nor a prompt tells. */
  look(): Ready | undefined {
    const line = this.#lastLine();
    this.#hasPrompted ||= this.#prompts([]).some(({ ready }) => ready.test(line));
    const input = this.#sources.input();
    // A program that works has printed the text of a prompt.
    if (input?.waits === "no") return undefined;
    const prompts = this.#prompts(input?.names ?? []);
    const answering = prompts.filter((each) => (each.ready.test(line) || each.more.test(line)) && this.#hasAll(each));
    const isMore = prompts.some(({ more }) => more.test(line));
    if (answering.length === 0 && input?.waits !== "yes") return undefined;
    const why = !isMore && prompts.some(({ end }) => end.test(line)) ? "prompt" : "input";
    this.#hasPrompted ||= why === "prompt";
    // Where prompts alone tell, one of several may be a text of the program: stillness has to confirm the count.
    const isSure = answering.length > 0 && (input?.waits === "yes" || this.#owed <= 1);
    return { why, isSure, stillMs: input?.waits === "yes" ? this.#stillMs() : COUNTED_MS };
  }

  #prompts(names: readonly string[]): readonly Prompts[] {
    const all = [this.#known, this.#learned, ...names.map(knownPrompts)];
    return [...new Set(all)].filter((each) => each !== undefined);
  }

  /** A prompt for each line that was sent. A terminal shows each line before anything answers it. */
  #hasAll(prompts: Prompts): boolean {
    const text = this.#text(COUNTED_BYTES);
    return this.#isShown(text) && prompts.count(text) >= this.#owed;
  }

  #isShown(text: string): boolean {
    return !this.#sources.isTerminal || text.split("\n", this.#lines + 1).length > this.#lines;
  }

  #stillMs(): number {
    if (!this.#sources.isTerminal) return 0;
    return this.#isShown(this.#text(COUNTED_BYTES)) && this.#sources.ring.total > this.#sentAt
      ? TERMINAL_MS
      : NO_ECHO_MS;
  }

  /** What stood there before the first input is what this program says when it waits. */
  #learn(): void {
    if (this.#isTaught) return;
    this.#isTaught = true;
    const line = this.#lastLine();
    if (this.#known?.ready.test(line) !== true) this.#learned = learnPrompt(line);
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
