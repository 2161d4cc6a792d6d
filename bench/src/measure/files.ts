import { closeSync, mkdirSync, openSync, statSync, utimesSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { lineMaker } from "./numbered-lines.js";

export interface Files {
  /** 2 MB each, none read before. */
  readonly fresh: readonly string[];
  /** 2 MB, read again and again. */
  readonly small: string;
  /** 50 MB that nobody touches. */
  readonly log: string;
  /** 50 MB that changes before each read. */
  readonly busyLog: string;
  /** Small enough that reading it is nothing. */
  readonly tiny: string;
  change(file: string): void;
  /** Resolves once all files are old enough to be known again. */
  settled(): Promise<void>;
}

// 2 MB and 50 MB at 50 and 110 bytes a line.
const SMALL = { lines: 40_000, words: 6 };
const LOG = { lines: 454_545, words: 15 };
export const LOG_LINES = LOG.lines;

// A change of time stamps is believed only when it is two seconds old; a little more for a coarse clock.
const SETTLED_MS = 2_500;

export function makeFiles(folder: string, freshCount: number): Files {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, { lines, words }: { lines: number; words: number }) => {
    const file = join(folder, name);
    writeLines(file, lines, words);
    return file;
  };
  const files = {
    fresh: Array.from({ length: freshCount }, (_, index) => write(`fresh-${index}.txt`, SMALL)),
    small: write("small.txt", SMALL),
    log: write("kept.log", LOG),
    busyLog: write("busy.log", LOG),
    tiny: write("tiny.txt", { lines: 2, words: 3 }),
  };
  const written = Date.now();
  return {
    ...files,
    change(file) {
      const { atime } = statSync(file);
      utimesSync(file, atime, new Date());
    },
    settled: () => delay(Math.max(0, written + SETTLED_MS - Date.now())),
  };
}

// In pieces: the cost of a spawn grows with the memory of the process that does it.
const PIECE = 5_000;

function writeLines(path: string, count: number, words: number): void {
  const file = openSync(path, "w");
  const next = lineMaker(words);
  for (let left = count; left > 0; left -= PIECE) writeSync(file, `${next(Math.min(PIECE, left)).join("\n")}\n`);
  closeSync(file);
}
