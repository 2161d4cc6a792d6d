// C0, DEL, C1, line and paragraph separators, and the marks that reorder a terminal's text.
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** A refusal may quote what was typed or a file's content: neither may forge a second line on the terminal. */
export function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
