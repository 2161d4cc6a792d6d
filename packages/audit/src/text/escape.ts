// What can end a line, move a terminal's cursor, or show text in another order than it is stored: C0, DEL, C1,
// the Unicode line ends, bidi marks, embeddings, overrides and isolates.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Makes text safe for one line of a log. Inside a JSON string the result still means the same text. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** At most `length` characters, never half of a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length;
  return text.slice(0, end);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
