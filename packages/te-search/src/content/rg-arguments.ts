import type { ContentQuery } from "../query/content-query.js";
import type { Ripgrep } from "../engines/engine.js";
import { mostOfEach, spansLines } from "./check-query.js";

/** What only PCRE2 knows: looking around, references back, atomic groups. */
const NEEDS_PCRE2 = /\(\?(?:<?[=!]|>|P=|P>|R|&|\()|\\(?:[1-9]|k[<{']|g\{?|K|G|h|H|R|X)/;

/** The arguments that say what to look for; what to look at comes behind them. */
export function patternArguments(query: ContentQuery, { hasPcre2 }: Ripgrep): string[] {
  const { pattern, literal, ignoreCase } = query;
  const perl = !literal && hasPcre2 && NEEDS_PCRE2.test(pattern);
  return [
    ...(literal ? ["-F"] : seesLineEnds(pattern) ? ["--crlf"] : []),
    ...(perl ? ["--engine", "auto"] : []),
    ignoreCase ? "-i" : "-s",
    ...(spansLines(query) ? ["-U"] : []),
    "-e",
    pattern,
  ];
}

/** A pattern of nothing else cannot tell whether a carriage return stands before a newline, and ripgrep is faster then. */
const BLIND = /^(?:[^$^.[\\]|\\[wdb(){}[\]|*+?.^$/\\-])*$/;

function seesLineEnds(pattern: string): boolean {
  return !BLIND.test(pattern) || /[\r\n]/.test(pattern);
}

/** By file, where the engine's word on what a file holds is enough. */
export function byFileArguments(query: ContentQuery): readonly string[] | undefined {
  if (query.mode === "files") return [...BY_FILE, "-l"];
  // With several lines in a hit, -c would count something else.
  return query.mode === "count" && !spansLines(query) ? [...BY_FILE, "-c"] : undefined;
}

const BY_FILE = ["-0", "--with-filename", "--color=never"];

/** Hit by hit; of a file that is only to be named the first is enough. With several lines in a hit ripgrep 15 panics of -m. */
export function lineByLine(query: ContentQuery): readonly string[] {
  const most = mostOfEach(query);
  return most === undefined || spansLines(query) ? ["--json"] : ["--json", "-m", String(most)];
}

export const ALWAYS = ["--no-config", "--no-mmap", "--no-ignore-messages"] as const;
