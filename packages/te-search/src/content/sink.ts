import type { Bytes } from "@llmc/names";
import { makeHit, type SeenLine } from "./make-hit.js";
import type { Tally } from "./tally.js";

/** Takes what an engine tells, file after file. */
export interface Sink {
  begin(way: Bytes): void;
  /** Whether the next line is to be read, or only counted. */
  readonly wants: boolean;
  /** Whether what it told would be kept: only then it matters where in a line the match is. */
  readonly keeps: boolean;
  line(seen: SeenLine | undefined): void | "stop";
  /** So many lines at once, none of them read. */
  count(lines: number): void | "stop";
  /** What was said of this file does not count. */
  discard(): void;
  /** Called between two chunks: what is to be done before more is taken. */
  rest(): void | "stop" | Promise<void | "stop">;
  /** Called when the engine has ended: what still waits. */
  end(): Promise<void | "stop">;
}

/** What is told counts as it is told. */
export class Trusting implements Sink {
  readonly #tally: Tally;
  readonly #maxLineChars: number;

  constructor(tally: Tally, maxLineChars: number) {
    this.#tally = tally;
    this.#maxLineChars = maxLineChars;
  }

  begin(way: Bytes): void {
    this.#tally.begin(way);
  }

  get wants(): boolean {
    return this.#tally.hasRoom;
  }

  get keeps(): boolean {
    return this.#tally.hasRoom;
  }

  line(seen: SeenLine | undefined): void | "stop" {
    return this.#tally.add(seen === undefined ? undefined : makeHit(seen, this.#maxLineChars));
  }

  count(lines: number): void | "stop" {
    return this.#tally.count(lines);
  }

  discard(): void {
    this.#tally.discard();
  }

  rest(): undefined {
    return undefined;
  }

  end(): Promise<void> {
    return Promise.resolve();
  }
}
