import type { BlockEdit } from "./check-edits.js";
import type { Terminator } from "./lines.js";

/** A caller who sees no line ending in what it replaces does not know that the file has others than it writes. */
export function noteOn(there: Terminator | undefined, { oldText, newText }: BlockEdit): string | undefined {
  if (there === undefined || oldText.includes("\n")) return undefined;
  const own = there === "\r\n" ? "LF" : "CRLF";
  const differs = there === "\r\n" ? /(?:^|[^\r])\n/.test(newText) : newText.includes("\r\n");
  if (!differs) return undefined;
  const other = own === "LF" ? "CRLF" : "LF";
  return `new_text has ${own} line endings where the file has ${other}; they were written as given. normalize: true fits them.`;
}
