import type { Block } from "../shape/join-blocks.js";
import type { Grammar } from "../shape/piece.js";

/** A kind of output: by the program that prints it, or by a sign in the output. */
export interface Recogniser {
  readonly name: string;
  /** The program, and its first argument where that matters: `git log`. */
  readonly programs?: RegExp;
  readonly sign?: RegExp;
  readonly grammar: Grammar;
  /** The last lines of a good run tell its outcome. */
  readonly hasEnd?: true;
  /** The failing tests, where it is a test runner. */
  readonly failures?: (lines: readonly string[]) => readonly Block[];
  /** Takes any line, also one of another program. */
  readonly takesAll?: true;
  /** Needs long lines whole. */
  readonly isWhole?: true;
}
