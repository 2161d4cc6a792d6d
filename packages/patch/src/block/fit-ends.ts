import type { BlockEdit } from "./check-edits.js";
import { withTerminator, type Terminator } from "./lines.js";

/** The new text as it is written, and what is to be said about it. */
export interface Fitted {
  readonly text: string;
  readonly note: string | undefined;
}

/**
 * A caller who sees no line ending in what it replaces does not know that the file has others than it writes: they
 * become the file's. One who replaces line endings means the new ones.
 */
export function fitEnds(
  { oldText, newText }: Pick<BlockEdit, "oldText" | "newText">,
  there: Terminator | undefined,
): Fitted {
  if (there === undefined || oldText.includes("\n")) return { text: newText, note: undefined };
  const text = withTerminator(newText, there);
  const own = there === "\r\n" ? "CRLF" : "LF";
  return {
    text,
    note: text === newText ? undefined : `new_text was written with ${own} line ends, as the file has them`,
  };
}
