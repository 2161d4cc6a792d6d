import type { Hit } from "../query/content-query.js";
import type { ShownFile } from "./arrange.js";
import { ownLines, shownText } from "./lines.js";

/** Hit of an answer or a handle, with the lines around the hit. */
export interface Snippet {
  readonly path: string;
  readonly line: number;
  readonly snippet: string;
  /** First line of the snippet, if lines stand above the hit. */
  readonly first_line?: number | undefined;
  /** Last line of a hit that spans lines. */
  readonly end_line?: number | undefined;
  /** Column of the match in a line that was cut around it. */
  readonly column?: number | undefined;
}

/**
 * Returns the shown hits of a file, and up to `more` other hits whose lines are shown around them. A hit has the lines
 * up to the next hit, so that no line comes twice.
 */
export function snippetsOf({ file, hits, numbers, lines }: ShownFile, more: number): Snippet[] {
  let room = more;
  const shown = file.hits.filter((hit) => hits.has(hit) || (numbers.has(hit.line) && (room -= 1) >= 0));
  const snippets: Snippet[] = [];
  let next = 1;
  for (const [index, hit] of shown.entries()) {
    const own = ownLines(hit);
    const first = runBack(numbers, own.from, next);
    const ceiling = hit.endLine === undefined ? (shown[index + 1]?.line ?? Number.POSITIVE_INFINITY) - 1 : own.to;
    const last = runOn(numbers, own.to, ceiling);
    const text = [...between(lines, first, own.from - 1), shownText(hit), ...between(lines, own.to + 1, last)];
    snippets.push(contentHit(file.path, hit, { first, snippet: text.join("\n") }));
    next = last + 1;
  }
  return snippets;
}

/** Returns a hit without lines around it, in the form for handles. */
export function bareHit(path: string, hit: Hit): Snippet {
  return contentHit(path, hit, { first: hit.line, snippet: shownText(hit) });
}

function contentHit(path: string, hit: Hit, { first, snippet }: { first: number; snippet: string }): Snippet {
  const to = hit.endLine ?? ownLines(hit).to;
  return {
    path,
    line: hit.line,
    snippet,
    ...(first === hit.line ? {} : { first_line: first }),
    ...(to === hit.line ? {} : { end_line: to }),
    ...(hit.cut.before === 0 && hit.cut.after === 0 ? {} : { column: hit.column }),
  };
}

/** Returns the first line of the shown lines that reach `from` without a gap. */
function runBack(numbers: ReadonlySet<number>, from: number, floor: number): number {
  let first = from;
  while (first - 1 >= floor && numbers.has(first - 1)) first -= 1;
  return first;
}

function runOn(numbers: ReadonlySet<number>, to: number, ceiling: number): number {
  let last = to;
  while (last + 1 <= ceiling && numbers.has(last + 1)) last += 1;
  return last;
}

function between(lines: ShownFile["lines"], from: number, to: number): string[] {
  const texts: string[] = [];
  for (let number = from; number <= to; number += 1) texts.push(lines.get(number) ?? "");
  return texts;
}
