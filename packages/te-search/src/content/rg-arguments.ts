import type { ContentQuery } from "../content-query.js";
import type { Ripgrep } from "../engines/find-engines.js";
import { spansLines } from "./check-query.js";

/** What only PCRE2 knows: looking around, references back, atomic groups. */
const NEEDS_PCRE2 = /\(\?(?:<?[=!]|>|P=|P>|R|&|\()|\\(?:[1-9]|k[<{']|g\{?|K|G|h|H|R|X)/;

/** The arguments that say what to look for; what to look at comes behind them. */
export function patternArguments(query: ContentQuery, { hasPcre2 }: Ripgrep): string[] {
  const { pattern, literal, ignoreCase } = query;
  const perl = !literal && hasPcre2 && NEEDS_PCRE2.test(pattern);
  return [
    ...(literal ? ["-F"] : ["--crlf"]),
    ...(perl ? ["--engine", "auto"] : []),
    ignoreCase ? "-i" : "-s",
    ...(spansLines(query) ? ["-U"] : []),
    "-e",
    pattern,
  ];
}

/** How the answer is told: hit by hit, or by file where that is enough. */
export function tellingArguments(query: ContentQuery): string[] {
  if (tellsByFile(query)) return ["-0", "--with-filename", "--color=never", query.mode === "files" ? "-l" : "-c"];
  return ["--json"];
}

/** With several lines in a hit, -c would count something else. */
export function tellsByFile({ mode, multiline, pattern }: ContentQuery): boolean {
  return mode === "files" || (mode === "count" && !multiline && !pattern.includes("\n"));
}

export const ALWAYS = ["--no-config", "--no-mmap", "--no-ignore-messages"] as const;
