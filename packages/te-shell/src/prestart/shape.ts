import type { Extra } from "@llmc/te-run";
import { wrap, type Wrapped } from "../limits/wrapper.js";

/** All that commands of one kind have in common: without their words, what counts them and what they are found by. */
export interface Shape {
  /** Words before the command's that hold as well when they were executed long before it. */
  readonly ahead: readonly string[];
  /** Words right before the command's: what they make is made for it alone, and fresh. */
  readonly around: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Marks of what runs around it, in the environment of all that it starts. */
  readonly marks: readonly string[];
  readonly extra: readonly Extra[];
  /** Files by the descriptor at which they are opened for reading. */
  readonly open: Readonly<Record<number, string>>;
  readonly maxFileBytes: number;
  readonly maxOpenFiles: number;
}

const SHELL = "/bin/sh";

/** Ending what runs around a command ends it too: its own mark goes behind theirs. */
export function envOf({ env, marks }: Shape, mark: string): Record<string, string> {
  return { ...env, LLMC_RUN: [...marks, mark].join(".") };
}

/** What starts such a command. `joins`: files of cgroups. */
export function startsOf(
  shape: Shape,
  joins: readonly string[],
  words: readonly string[],
  redirection?: string,
): Wrapped {
  return wrap([...shape.ahead, ...shape.around, ...words], { ...shape, joins }, shape.open, redirection);
}

/** What starts a shell in the same bounds, which becomes the command that it reads: "$@" is what goes around that. */
export function waitsFor({ ahead, around, open, ...bounds }: Shape, joins: readonly string[]): Wrapped {
  return wrap([...ahead, SHELL, "-s", ...around], { ...bounds, joins }, open);
}
