import { isBlank } from "../nearest/difference.js";
import type { FileText } from "./file-text.js";
import type { HunkLine, LineEnd } from "./plan.js";

/** How exactly lines are compared: to the byte; without line ends; without blanks at the end, or at both; as a reader sees them. */
export type View = "exact" | "text" | "trimmed" | "unindented" | "shown";

const REPLACEMENT = "\ufffd";

export function keyOf(view: View, text: string, end: LineEnd, file: FileText): string {
  switch (view) {
    case "exact":
      return text + end;
    case "text":
      return text;
    case "trimmed":
      return trimmed(text);
    case "unindented":
      return withoutBlanks(text);
    case "shown":
      return trimmed(isAscii(text) ? text : file.unit.shown(text));
  }
}

export function keyOfLine(view: View, file: FileText, index: number): string {
  if (view === "exact") return file.units.slice(file.startOf(index), file.startOf(index + 1));
  return keyOf(view, file.textOf(index), "", file);
}

/** Whether a line was copied from what a reader showed of bytes that are no text. */
export function holdsReplacement(lines: readonly HunkLine[], file: FileText): boolean {
  const sign = file.unit.encode(REPLACEMENT);
  return lines.some((line) => line.text.includes(sign));
}

/** Only ASCII blanks: in a file kept as bytes, any other may be a part of a letter. */
function trimmed(text: string): string {
  let to = text.length;
  while (to > 0 && (isBlank(text.charCodeAt(to - 1)) || text.charCodeAt(to - 1) === 13)) to -= 1;
  return text.slice(0, to);
}

export function withoutBlanks(text: string): string {
  let from = 0;
  while (from < text.length && isBlank(text.charCodeAt(from))) from += 1;
  return trimmed(text.slice(from));
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7e) return false;
  return true;
}
