import { ConfigError } from "@llmc/config";
import { OpsError } from "@llmc/errors";
import { oneLine } from "./one-line.js";

/** A start that cannot be: a wrong flag, a taken port, a folder that cannot be written. Its message is one line. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StartError";
  }

  /** One line for each fault. */
  get problems(): readonly string[] {
    return [this.message];
  }
}

/** Refuses a start without any usable root, because the server would serve nothing but look as if it worked. */
export class NoRootLeftError extends StartError {
  readonly #problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("; "));
    this.#problems = problems;
  }

  override get problems(): readonly string[] {
    return this.#problems;
  }
}

/** A command line that cannot be obeyed; says what to type instead. */
export class UsageError extends StartError {}

const REFUSED = 2;
const FAULT = 1;

/** Says on stderr why the program cannot do what was asked for, and ends it. */
export function endRefused(name: string, thrown: unknown): void {
  const refusals = refusalsOf(thrown);
  const fault = oneLine(thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown));
  const lines = (refusals ?? [fault]).map((line) => `${name}: ${line}\n`);
  process.stderr.write(lines.join(""), () => process.exit(refusals === undefined ? FAULT : REFUSED));
}

/** Returns a line for each fault that the operator can fix; undefined for a fault of the server. */
export function refusalsOf(thrown: unknown): readonly string[] | undefined {
  if (OpsError.is(thrown) && thrown.code !== "INTERNAL") {
    return [oneLine(thrown.hint === undefined ? thrown.message : `${thrown.message}. ${thrown.hint}`)];
  }
  if (thrown instanceof StartError || thrown instanceof ConfigError) return thrown.problems.map(oneLine);
  return undefined;
}
