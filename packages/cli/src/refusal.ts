import { ConfigError } from "@llmc/config";
import { OpsError } from "@llmc/errors";
import { oneLine } from "./one-line.js";

/** A start that cannot be: a wrong flag, a taken port, a folder that cannot be written. Its message is one line. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StartError";
  }
}

/** A command line that cannot be obeyed; says what to type instead. */
export class UsageError extends StartError {}

/** The one line for whoever starts the server, or undefined where the fault is ours. */
export function refusalOf(thrown: unknown): string | undefined {
  if (OpsError.is(thrown) && thrown.code !== "INTERNAL") {
    return oneLine(thrown.hint === undefined ? thrown.message : `${thrown.message}. ${thrown.hint}`);
  }
  if (thrown instanceof StartError || thrown instanceof ConfigError) return oneLine(thrown.message);
  return undefined;
}
