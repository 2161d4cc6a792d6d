import type { InputWait } from "@llmc/procfs";
import { textOf } from "@llmc/te-run";
import type { OutputRing } from "./output-ring.js";
import { knownPrompts, lastLineOf, learnPrompt, type Prompts } from "./prompts.js";

export interface ReadinessSources {
  readonly ring: OutputRing;
  /** The program's name: some are known. */
  readonly program: string;
  readonly isTerminal: boolean;
  /** Tells whether the kernel sees the program waiting for input; undefined if the kernel does not tell. */
  readonly input: () => InputWait | undefined;
}

/** Program that has answered its input and waits for more. */
export interface Ready {
  readonly why: "prompt" | "input";
  /** True if everything that was sent has been answered in the output. */
  readonly isSure: boolean;
  /** Milliseconds without output after which an unsure answer counts, because last bytes may be in transit. */
  readonly stillMs: number;
}

const NEWLINE = 0x0a;
const LINE_BYTES = 2048;
const COUNTED_BYTES = 256 * 1024;
/** Allows for the delay with which a terminal passes output on. */
const TERMINAL_MS = 50;
const COUNTED_MS = 50;
/** Allows more time without an echo, because most terminals echo input once they have it. */
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

  /** Tells whether no wait has ended by a prompt or by input since the start or the last input. */
  get isOwing(): boolean {
    return !this.#isAnswered;
  }

  /** Tells whether the program ever printed a prompt. */
  get hasPrompted(): boolean {
    return this.#hasPrompted;
  }

  /** Tells whether the last line lacks its newline. */
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

  /** Notes that an answer has told the caller of the waiting program. */
  answered(): void {
    this.#isAnswered = true;
    this.#owed = 0;
  }

  /** Returns undefined while the program works, or if neither the kernel nor a prompt tells. */
  look(): Ready | undefined {
    const line = this.#lastLine();
    this.#hasPrompted ||= this.#prompts([]).some(({ ready }) => ready.test(line));
    const input = this.#sources.input();
    // A working program has only printed text that looks like a prompt.
    if (input?.waits === "no") return undefined;
    const prompts = this.#prompts(input?.names ?? []);
    const answering = prompts.filter((each) => (each.ready.test(line) || each.more.test(line)) && this.#hasAll(each));
    const isMore = prompts.some(({ more }) => more.test(line));
    if (answering.length === 0 && input?.waits !== "yes") return undefined;
    const why = !isMore && prompts.some(({ end }) => end.test(line)) ? "prompt" : "input";
    this.#hasPrompted ||= why === "prompt";
    // One of several prompts may be program output, read between two lines: the count must hold at a second look.
    const isSure = answering.length > 0 && this.#owed <= 1;
    return { why, isSure, stillMs: input?.waits === "yes" ? this.#stillMs() : COUNTED_MS };
  }

  #prompts(names: readonly string[]): readonly Prompts[] {
    const all = [this.#known, this.#learned, ...names.map(knownPrompts)];
    return [...new Set(all)].filter((each) => each !== undefined);
  }

  /** Tells whether each sent line has brought a prompt, and a terminal has echoed each line. */
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
