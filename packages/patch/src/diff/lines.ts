import type { DiffLine } from "./plan.js";
import { tooMany } from "./refusals.js";

// Lines that are never a part of a file. If they end in CRLF, that is how the diff travelled and says nothing about files.
const FRAME = /^(?:diff |--- |\+\+\+ |\*\*\* (?:Begin|End|Add|Update|Delete) )/;

/** The lines of a diff; `text` has one character for each byte. */
export function splitDiff(text: string, maxLines: number): readonly DiffLine[] {
  const lines = splitLines(text, maxLines);
  const frame = lines.filter((line) => FRAME.test(line.text));
  const travelled = frame.length > 0 && frame.every((line) => line.end === "\r\n");
  return travelled ? lines.map((line) => (line.end === "\r\n" ? { text: line.text, end: "\n" } : line)) : lines;
}

function splitLines(text: string, maxLines: number): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf("\n", at);
    const stop = newline === -1 ? text.length : newline;
    // A diff whose last newline was lost still means whole lines; only the marker below a line takes its newline away.
    const carriage = stop > at && text.charCodeAt(stop - 1) === 13;
    lines.push({ text: text.slice(at, carriage ? stop - 1 : stop), end: carriage ? "\r\n" : "\n" });
    if (lines.length > maxLines) throw tooMany("lines", maxLines);
    at = stop + 1;
  }
  return lines;
}
