import type { FileText } from "./file-text.js";
import type { Budget } from "./line-search.js";
import type { Where } from "./locate.js";
import { withoutBlanks } from "./views.js";

const MOST_SEEN = 200;

/** The line that the text behind `@@` names, outermost first; null if it names none, or there is none from `floor` on. */
export function findAnchor(file: FileText, anchors: readonly string[], floor: number, budget: Budget): Where["anchor"] {
  if (anchors.length === 0) return null;
  let line = floor - 1;
  let sure = true;
  for (const anchor of anchors) {
    const next = findLine(file, anchor, line + 1, budget);
    if (next === null) return null;
    line = next.line;
    sure &&= next.sure;
  }
  return { line, sure };
}

/** A line that is the text comes before one that begins with it, and that before one that holds it. */
function findLine(file: FileText, text: string, from: number, budget: Budget): Where["anchor"] {
  const lines = linesWith(file, text, from, budget);
  const kinds = [
    lines.filter((line) => withoutBlanks(file.textOf(line)) === text),
    lines.filter((line) => withoutBlanks(file.textOf(line)).startsWith(text)),
    lines,
  ];
  const best = kinds.find((kind) => kind.length > 0);
  return best?.[0] === undefined ? null : { line: best[0], sure: best.length === 1 };
}

/** The lines that hold a text, the first of them. */
export function linesWith(file: FileText, text: string, from: number, budget: Budget): readonly number[] {
  const found: number[] = [];
  const begin = file.startOf(from);
  let at = file.units.indexOf(text, begin);
  while (at !== -1 && found.length < MOST_SEEN) {
    const line = file.lineAt(at);
    found.push(line);
    at = file.units.indexOf(text, file.startOf(line + 1));
  }
  budget.left -= ((at === -1 ? file.units.length : at) - begin) / 2;
  return budget.left < 0 ? [] : found;
}
