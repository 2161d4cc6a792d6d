import type { Advice } from "@llmc/errors";
import type { MissingProgram } from "@llmc/te-shell";

/** Output and exit code of a shell that finds no program to start. */
export function notStarted(
  { missing, isBuiltin, problem, hint }: MissingProgram,
  hintOf: (advice: Advice) => string,
): {
  readonly text: string;
  readonly exitCode: number;
} {
  if (isBuiltin === true && hint !== undefined) return { text: `${hintOf(hint)}\n`, exitCode: 127 };
  const more = hint === undefined ? "" : ` (${hintOf(hint)})`;
  return {
    text: `${missing}: ${problem ?? "command not found"}${more}\n`,
    exitCode: problem === undefined ? 127 : 126,
  };
}
