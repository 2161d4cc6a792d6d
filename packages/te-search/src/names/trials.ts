import { InvalidArgumentError } from "@llmc/errors";
import { pathBytes } from "@llmc/names";
import type { Bytes } from "@llmc/names";
import { fold, foldText } from "./fold.js";
import { globTrial } from "./glob-trial.js";
import type { NamesQuery } from "../query/names-query.js";
import { textTrial } from "./text-trial.js";
import type { Trial } from "./trial.js";
import { wordsTrial } from "./words-trial.js";

const MAX_CHARS = 4096;
const GLOB = /[*?[{]/;
/** How a byte that is no UTF-8 is shown; its digits have no case. */
const BYTE = /\\x[\da-f]{2}/gi;
/** Says by itself which case it means. */
const CASED_CLASS = /\[:(?:upper|lower):\]/;

/** The pattern with nothing in it that no name can match. `ground` is where the search starts, as the caller spells it. */
export function cleanPattern({ pattern, regex }: Pick<NamesQuery, "pattern" | "regex">, searchRoot: string): string {
  refuseUnfit(pattern);
  if (regex) return pattern;
  const below = pattern.startsWith(`${searchRoot}/`) ? pattern.slice(searchRoot.length) : pattern;
  const clean = below.replace(/\/{2,}/g, "/").replace(/^(?:\.\/)+(?=.)/, "");
  if (clean !== "/") return clean;
  throw new InvalidArgumentError("The pattern has no name in it", "Use * for every name.");
}

function refuseUnfit(pattern: string): void {
  if (pattern === "") throw new InvalidArgumentError("The pattern is empty", "Use * for every name.");
  if (pattern.length > MAX_CHARS) {
    throw new InvalidArgumentError(`The pattern has more than ${MAX_CHARS} characters`, "Use a shorter one.");
  }
  if (/\p{Surrogate}|\0/u.test(pattern)) {
    throw new InvalidArgumentError("The pattern contains NUL or half a character", "Leave that out: no name holds it.");
  }
}

/** The ways to understand a pattern; each counts only where those before it find nothing. */
export function trialsFor(pattern: string): readonly [Trial, ...Trial[]] {
  return GLOB.test(pattern) ? globTrials(pattern) : textTrials(pattern);
}

function globTrials(pattern: string): [Trial, ...Trial[]] {
  const ignoreCase = !hasUpper(pattern) && !CASED_CLASS.test(pattern);
  const trials: [Trial, ...Trial[]] = [globTrial(pattern, { ignoreCase })];
  if (!ignoreCase && !CASED_CLASS.test(pattern))
    trials.push(globTrial(foldText(pattern), { ignoreCase: true }, "case"));
  // Names such as [id].tsx are meant as they are as often as not.
  if (!/[*?]/.test(pattern)) trials.push(textTrial(textOf(pattern), "text"));
  return trials;
}

function textTrials(pattern: string): [Trial, ...Trial[]] {
  const words = wordsTrial(pattern);
  const text = textTrial(textOf(pattern));
  return words === undefined ? [text] : [text, words];
}

function textOf(pattern: string): { text: Bytes; ignoreCase: boolean } {
  const bytes = pathBytes(pattern);
  const ignoreCase = !hasUpper(pattern.replace(BYTE, ""));
  return { text: ignoreCase ? fold(bytes) : bytes, ignoreCase };
}

export function hasUpper(text: string): boolean {
  return /\p{Lu}/u.test(text);
}
