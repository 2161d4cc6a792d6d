import { createPace } from "./pace.js";

const NEWLINE = 10;
const UTF_16: Readonly<Record<string, string>> = { fffe: "utf-16le", feff: "utf-16be" };

/** Lines `from` to `to`, counted from 1, both included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Returns bytes of a kept text as UTF-8, which they are unless a byte order mark says otherwise. */
export function inUtf8(bytes: Buffer): Buffer {
  const encoding = UTF_16[bytes.toString("hex", 0, 2)];
  return encoding === undefined ? bytes : Buffer.from(new TextDecoder(encoding).decode(bytes));
}

/** Counts lines as fs_read does: a last line without a newline counts. */
export async function countLines(bytes: Buffer, signal: AbortSignal): Promise<number> {
  const pace = createPace(signal);
  let count = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, end + 1)) {
    count += 1;
    if (pace.due()) await pace.rest();
  }
  return bytes.length > 0 && bytes.at(-1) !== NEWLINE ? count + 1 : count;
}

/** Returns where a line begins; the end of the text where it has fewer lines. */
export async function offsetOfLine(bytes: Buffer, line: number, signal: AbortSignal): Promise<number> {
  const pace = createPace(signal);
  let at = 0;
  for (let nth = 1; nth < line; nth += 1) {
    const end = bytes.indexOf(NEWLINE, at);
    if (end === -1) return bytes.length;
    at = end + 1;
    if (pace.due()) await pace.rest();
  }
  return at;
}

/** Cuts lines from an offset on, without their ends, until `take` refuses one. */
export function eachLine(bytes: Buffer, offset: number, take: (line: string, next: number) => boolean): void {
  for (let at = offset; at < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, at);
    const end = newline === -1 ? bytes.length : newline;
    const next = newline === -1 ? end : end + 1;
    const text = bytes.toString("utf8", at, end);
    if (!take(text.endsWith("\r") ? text.slice(0, -1) : text, next)) return;
    at = next;
  }
}

/** Returns a line with so many characters at most, and how many more it has. */
export function cutLine(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  const end = /[\ud800-\udbff]/.test(line[maxChars - 1] ?? "") ? maxChars - 1 : maxChars;
  return `${line.slice(0, end)}…[+${line.length - end} chars]`;
}
