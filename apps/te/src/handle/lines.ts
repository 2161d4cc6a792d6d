import { InvalidArgumentError } from "@llmc/errors";
import { lineRange, type LineRange } from "@llmc/handles";

/** Returns the lines of a range, such as "10-20". */
export function linesOf(text: string, wanted: string): string {
  const { lines, range } = linesIn(text, wanted);
  return joined(lines.slice(range.from - 1, range.to));
}

/** Returns the lines that match, each with its number. */
export function matchingLines(text: string, match: string, wanted: string | undefined): string {
  const { lines, range } = linesIn(text, wanted);
  const pattern = patternOf(match);
  const numbered = lines.map((line, index) => ({ line, number: index + 1 }));
  const hits = numbered.slice(range.from - 1, range.to).filter(({ line }) => pattern.test(line));
  return joined(hits.map(({ line, number }) => `${number}: ${line}`));
}

function linesIn(
  text: string,
  wanted: string | undefined,
): { readonly lines: readonly string[]; readonly range: LineRange } {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  return { lines, range: wanted === undefined ? { from: 1, to: lines.length } : lineRange(wanted, lines.length) };
}

function patternOf(match: string): RegExp {
  try {
    return new RegExp(match, "i");
  } catch (cause) {
    throw new InvalidArgumentError(`--match: ${(cause as Error).message}`);
  }
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
