import { linesWith } from "./anchors.js";
import { defines, indentOf } from "./definitions.js";
import type { FileText } from "./file-text.js";
import type { Budget } from "./line-search.js";

const FARTHEST = 2000;

/**
 * Of several places those below the line that stands behind the numbers of `@@`. Undefined where it
 * is not in the file; all of them where it is, and none is below it: then nothing tells which is meant.
 */
export function inSection(
  file: FileText,
  section: string,
  places: readonly number[],
  budget: Budget,
): readonly number[] | undefined {
  const named = linesWith(file, section, 0, budget);
  if (named.length === 0) return undefined;
  const inside = places.filter((place) => {
    const line = named.findLast((each) => each <= place);
    if (line === undefined || place - line > FARTHEST) return false;
    budget.left -= place - line;
    return isInside(file, line, place);
  });
  return inside.length === 0 ? places : inside;
}

/** Whether nothing else begins between the line and the place. */
function isInside(file: FileText, line: number, place: number): boolean {
  const indent = indentOf(file.textOf(line)) ?? 0;
  for (let at = line + 1; at < place; at++) {
    const own = indentOf(file.textOf(at));
    if (own !== null && own <= indent && defines(file, at)) return false;
  }
  return true;
}
