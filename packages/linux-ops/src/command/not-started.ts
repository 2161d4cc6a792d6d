import type { MissingProgram } from "@llmc/te-shell";
import { hintOf } from "../hints/remedies.js";

/** What a shell would print and answer where there is no program to start. */
export function notStarted({ missing, problem, hint }: MissingProgram): {
  readonly text: string;
  readonly exitCode: number;
} {
  const more = hint === undefined ? "" : ` (${hintOf(hint)})`;
  return {
    text: `${missing}: ${problem ?? "command not found"}${more}\n`,
    exitCode: problem === undefined ? 127 : 126,
  };
}
