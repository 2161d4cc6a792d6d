import type { FoundSandbox } from "@llmc/te-shell";
import type { Access, AnyTool } from "@llmc/toolkit";
import { wordsOf } from "../hints/remedies.js";

/** Tools that start commands of a model. */
const RUNNERS: ReadonlySet<string> = new Set(["run_cmd", "EXEC_CLI", "linux.proc_start"]);

export function offersCommands(tools: readonly AnyTool[], access: Access): boolean {
  return tools.some((tool) => RUNNERS.has(tool.name) && access.closedBy(tool) === null);
}

/** Returns a sentence for the operator if the machine has no sandbox for commands. */
export function commandsOff({ kind, why, hint }: FoundSandbox): string | undefined {
  if (kind !== "none") return undefined;
  const words = hint === undefined || typeof hint === "string" ? { hint } : wordsOf(hint);
  const { message = `Commands are off: ${why}` } = words as { readonly message?: string };
  return words.hint === undefined ? message : `${message}. ${words.hint}`;
}
