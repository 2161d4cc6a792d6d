// C0, DEL, C1, line and paragraph separators, and the marks that reorder a terminal's text.
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** A message may quote a file name or a value: neither may forge a second line. */
export function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const LONGEST_QUOTE = 60;

/** A value as its owner wrote it, short enough for a message. */
export function quote(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a date";
  if (typeof value === "object" && value !== null) return "a table";
  const written = typeof value === "string" ? JSON.stringify(value) : String(value);
  return written.length > LONGEST_QUOTE ? `${written.slice(0, LONGEST_QUOTE)}…` : written;
}
