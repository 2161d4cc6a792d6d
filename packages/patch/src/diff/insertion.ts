import { findAnchor } from "./anchors.js";
import type { FileText } from "./file-text.js";
import type { Budget } from "./line-search.js";
import { missed, placement, type Miss, type Placement } from "./placement.js";
import type { Hunk } from "./plan.js";
import { saysSomething } from "./readings.js";
import { keyOf, keyOfLine, type View } from "./views.js";

/** A hunk without old lines: only its header tells where it goes. */
export function placeInsertion(
  file: FileText,
  hunk: Hunk,
  { offset, floor }: { readonly offset: number; readonly floor: number },
  budget: Budget,
): Placement | Miss {
  if (hunk.line !== null) {
    const start = hunk.line + offset;
    if (start > file.count || start < 0) return missed(hunk, "no such line", [file.count]);
    if (start === 0 && beginsWith(file, hunk)) return missed(hunk, "applied", [0]);
    return { ...insertAt(file, hunk, start), offset };
  }
  if (hunk.anchors.length === 0) return insertAt(file, hunk, file.count);
  const anchor = findAnchor(file, hunk.anchors, floor, budget);
  if (anchor === null) return missed(hunk, "nowhere", []);
  return anchor.sure ? insertAt(file, hunk, anchor.line + 1) : missed(hunk, "ambiguous", [anchor.line]);
}

/** A file that begins with the lines that are to be its first ones has them already. */
function beginsWith(file: FileText, { lines }: Hunk): boolean {
  if (!lines.some(saysSomething) || lines.length > file.count) return false;
  return lines.every((line, at) => keyOfLine("trimmed", file, at) === keyOf("trimmed", line.text, line.end, file));
}

function insertAt(file: FileText, hunk: Hunk, start: number): Placement {
  // Its lines take the file's ends, unless the diff shows that it knows about them.
  const view: View = hunk.lines.some((line) => line.end !== "\n") ? "exact" : "text";
  return placement(file, hunk, { reading: { lines: hunk.lines, slip: null }, view, fuzz: 0, start });
}
