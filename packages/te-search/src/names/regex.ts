import { InvalidArgumentError } from "@llmc/errors";
import type { Regex } from "./regex-thread.js";
import { hasUpper } from "./trials.js";

/** What stands for other characters than those it is written with. */
const ESCAPES =
  /\\(?:[pP]\{[^}]*\}|x[\da-fA-F]{2}|u\{[^}]*\}|u[\da-fA-F]{4}|k<[^>]*>|c[A-Za-z]|.)|\(\?<[A-Za-z_]\w*>/gs;

/** Says by itself which case it means. */
const CASED = /\\[pP]\{(?:[^}]*=)?(?:Lu|Ll|Lt|Upper|Lower|Titlecase)/;

/** Names are no lines: a dot takes any character of one. */
export function readRegex(pattern: string): Regex {
  // As other engines write it; this one has it as a flag.
  const source = pattern.replace(/^\(\?i\)/, "");
  const ignoreCase = source !== pattern || !(hasUpper(source.replace(ESCAPES, "")) || CASED.test(source));
  const flags = ignoreCase ? "is" : "s";
  const unicode = problemOf(source, `${flags}u`);
  if (unicode === undefined) return { source, flags: `${flags}u` };
  // Older rules allow escapes that are not needed, such as \-.
  if (problemOf(source, flags) === undefined && !/\\[pP]\{/.test(source)) return { source, flags };
  throw new InvalidArgumentError(`The regex is not valid: ${unicode}`, { id: "escape-or-as-text" });
}

function problemOf(source: string, flags: string): string | undefined {
  try {
    // oxlint-disable-next-line no-new -- only whether it can be made
    new RegExp(source, flags);
    return undefined;
  } catch (thrown) {
    // The engine repeats all of the pattern first.
    return (thrown as Error).message.replace(/^Invalid regular expression: \/.*\/[a-z]*: /s, "");
  }
}
