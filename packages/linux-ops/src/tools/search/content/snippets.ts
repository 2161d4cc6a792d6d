import { ownLines, shownText, type Hit, type ShownFile } from "@llmc/te-search";
import type { ContentHit } from "./content-result.js";

/**
 * The hits of a file that are shown, and up to `more` others whose lines are shown around them. Neighbours share what
 * stands around them: a hit has the lines up to the next one, so that nothing is told twice.
 */
export function snippetsOf({ file, hits, numbers, lines }: ShownFile, more: number): ContentHit[] {
  let room = more;
  const shown = file.hits.filter((hit) => hits.has(hit) || (numbers.has(hit.line) && (room -= 1) >= 0));
  const snippets: ContentHit[] = [];
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

/** A hit alone, as it stands behind a handle. */
export function bareHit(path: string, hit: Hit): ContentHit {
  return contentHit(path, hit, { first: hit.line, snippet: shownText(hit) });
}

function contentHit(path: string, hit: Hit, { first, snippet }: { first: number; snippet: string }): ContentHit {
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

/** The first of the shown lines that lead without a gap to `from`. */
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
