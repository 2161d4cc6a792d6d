import type { BlockEdit } from "./check-edits.js";
import { withTerminator, type Terminator } from "./lines.js";

/** The line ends of a file. */
export type LineEnds = "CRLF" | "LF";

/** The new text to write; `lineEnds` is set if its line ends were converted to those of the file. */
export interface Fitted {
  readonly text: string;
  readonly lineEnds: LineEnds | undefined;
}

type Texts = Pick<BlockEdit, "oldText" | "newText">;

/**
 * A caller who sees no line ending in what it replaces does not know that the file has others than it writes: they
 * become the file's. One who replaces line endings means the new ones.
 */
export function fitEnds({ oldText, newText }: Texts, there: Terminator | undefined): Fitted {
  if (there === undefined || oldText.includes("\n")) return { text: newText, lineEnds: undefined };
  return { text: withTerminator(newText, there), lineEnds: otherEnds({ oldText, newText }, there) };
}

/** Returns the line ends of the file if the caller wrote different ones. */
export function otherEnds({ oldText, newText }: Texts, there: Terminator | undefined): LineEnds | undefined {
  if (there === undefined || [oldText, newText].every((text) => withTerminator(text, there) === text)) return undefined;
  return there === "\r\n" ? "CRLF" : "LF";
}
