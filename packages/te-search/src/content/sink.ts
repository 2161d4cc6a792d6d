import type { Bytes } from "../files.js";
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
export function trusting(tally: Tally, maxLineChars: number): Sink {
  return {
    begin: tally.begin,
    get wants() {
      return tally.hasRoom;
    },
    get keeps() {
      return tally.hasRoom;
    },
    line: (seen) => tally.add(seen === undefined ? undefined : makeHit(seen, maxLineChars)),
    count: tally.count,
    discard: tally.discard,
    rest: () => undefined,
    end: () => Promise.resolve(),
  };
}
