export interface Counts {
  readonly old: number;
  readonly new: number;
}

export interface HunkHeader {
  /** Of the old file, from 1 (0: before the first). */
  readonly line: number | null;
  readonly counts: Counts | null;
  /** What stands there instead of numbers. */
  readonly anchor: string | null;
  /** What stands behind the numbers. */
  readonly section: string | null;
}

const NUMBERS = /^@@ *-?(\d{1,9})(?:, ?(\d{1,9}))?(?: +\+?(\d{1,9})(?:, ?(\d{1,9}))?)? *(?:@@|$)/;
const LINE = /^@@ *(?:at )?lines? (\d{1,9})\b/i;
// Numbers that the writer did not know: `@@ ... @@`, `@@ -XX,YY +XX,YY @@`; the last three are the bytes of an ellipsis.
const PLACEHOLDER = /^[-+,.?*_\s\dXYNxn#\u00e2\u0080\u00a6]*$/;

/** `text` begins with `@@`. */
export function parseHunkHeader(text: string): HunkHeader {
  const numbers = NUMBERS.exec(text);
  if (numbers !== null) return numbered(numbers, text);
  const line = LINE.exec(text);
  if (line !== null) return { line: Number(line[1]), counts: null, anchor: null, section: null };
  const anchor = anchorOf(text);
  return { line: null, counts: null, anchor: PLACEHOLDER.test(anchor) ? null : anchor, section: null };
}

function numbered([all, line, old, newLine, added]: RegExpExecArray, text: string): HunkHeader {
  const counts = newLine === undefined ? null : { old: Number(old ?? 1), new: Number(added ?? 1) };
  return { line: Number(line), counts, anchor: null, section: text.slice(all.length).trim() || null };
}

function anchorOf(text: string): string {
  const inner = text.slice(2).trim();
  return inner.endsWith("@@") ? inner.slice(0, -2).trim() : inner;
}
