import { InvalidArgumentError } from "@llmc/errors";
import type { ContentQuery } from "../query/content-query.js";

/** One argument of a program holds 128 KiB at most. */
const MAX_PATTERN_BYTES = 100 * 1024;
const MAX_GLOBS = 100;
const MAX_GLOB_CHARS = 1000;

export function checkQuery({ pattern, literal, multiline, glob = [] }: ContentQuery): void {
  if (pattern === "") {
    throw new InvalidArgumentError("The pattern is empty", { id: "search-names-instead" });
  }
  if (pattern.includes("\0")) {
    throw new InvalidArgumentError(
      "The pattern holds a NUL character",
      "Files that hold one are binary and not searched.",
    );
  }
  if (Buffer.byteLength(pattern) > MAX_PATTERN_BYTES) {
    throw new InvalidArgumentError("The pattern is longer than 100 KiB", "Look for a shorter part of it.");
  }
  if (!literal && !multiline && NEWLINE_IN_REGEX.test(pattern)) {
    throw new InvalidArgumentError("The pattern matches an end of line (\\n)", { id: "match-several-lines" });
  }
  if (glob.length > MAX_GLOBS)
    throw new InvalidArgumentError(`${glob.length} globs are too many`, `Give at most ${MAX_GLOBS}.`);
  for (const one of glob) checkGlob(one);
}

const NEWLINE_IN_REGEX = /(?<!\\)(?:\\\\)*\\n/;

function checkGlob(glob: string): void {
  if (glob === "" || glob === "!")
    throw new InvalidArgumentError("A glob is empty", 'Leave it out, or give one like "*.ts".');
  if (glob.includes("\0")) throw new InvalidArgumentError("A glob holds a NUL character");
  if (glob.length > MAX_GLOB_CHARS) {
    throw new InvalidArgumentError(
      `A glob is longer than ${MAX_GLOB_CHARS} characters`,
      "Name a smaller root, and write a shorter one.",
    );
  }
}

/** Whether a hit may span lines: asked for, or the text itself does. */
export function spansLines({ pattern, multiline }: ContentQuery): boolean {
  return multiline || pattern.includes("\n");
}

/** How many lines of a file are wanted, where not all are. */
export function mostOfEach({ mode, among }: ContentQuery): number | undefined {
  return mode === "files" ? 1 : among?.linesOfEach;
}
