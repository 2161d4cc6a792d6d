import { findAnchor } from "./anchors.js";
import type { FileText } from "./file-text.js";
import type { Budget } from "./line-search.js";
import { missed, placement, type Miss, type Placement } from "./placement.js";
import type { Hunk } from "./plan.js";
import type { View } from "./views.js";

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
    return { ...insertAt(file, hunk, start), offset };
  }
  if (hunk.anchors.length === 0) return insertAt(file, hunk, file.count);
  const anchor = findAnchor(file, hunk.anchors, floor, budget);
  if (anchor === null) return missed(hunk, "nowhere", []);
  return anchor.sure ? insertAt(file, hunk, anchor.line + 1) : missed(hunk, "ambiguous", [anchor.line]);
}

function insertAt(file: FileText, hunk: Hunk, start: number): Placement {
  // Its lines take the file's ends, unless the diff shows that it knows about them.
  const view: View = hunk.lines.some((line) => line.end !== "\n") ? "exact" : "text";
  return placement(file, hunk, { reading: { lines: hunk.lines, slip: null }, view, fuzz: 0, start });
}
