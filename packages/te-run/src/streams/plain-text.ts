// Escape sequences of ECMA-48 and xterm: CSI, OSC, strings, character sets, single characters.
/* oxlint-disable no-control-regex */
const ESCAPES =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[PX^_][^\u001b]*\u001b\\|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/g;
const BEGUN = /\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b]*\u001b?|[PX^_][^\u001b]*\u001b?|[ -/]*)$/;
/** Matches a move to the first column, by which a line editor rewrites its line. */
const TO_LINE_START = /\u001b\[1?G/g;
const UNSEEN = /[\u0007\u000e\u000f]/g;
const UNSEEN_IN_TERMINAL = /[\u0000\u0007\u000e\u000f]/g;
/* oxlint-enable no-control-regex */
/** Bytes of the longest escape sequence; a longer one is text. */
const LONGEST_ESCAPE = 4096;
const LONGEST_CHARACTER = 4;

export interface TextOptions {
  /** Bytes as they came, escapes and all. */
  readonly isRaw: boolean;
  /** Set for bytes from a terminal, which displays nothing for a NUL. */
  readonly isTerminal: boolean;
}

/** Counts the bytes before an unfinished character or escape sequence, which must not be cut in two. */
export function wholeBytes(bytes: Buffer, { isRaw }: TextOptions): number {
  const whole = bytes.length - unfinishedCharacter(bytes);
  if (isRaw) return whole;
  const from = Math.max(0, whole - LONGEST_ESCAPE);
  const begun = BEGUN.exec(bytes.toString("latin1", from, whole));
  // A return may be the first half of a line end.
  if (begun === null) return whole > 1 && bytes[whole - 1] === 0x0d ? whole - 1 : whole;
  return from + begun.index;
}

/** Returns bytes as text for a model: without escape sequences, and with the last state of each line. */
export function textOf(bytes: Buffer, { isRaw, isTerminal }: TextOptions): string {
  const text = bytes.toString("utf8");
  if (isRaw) return text;
  const returned = isTerminal ? text.replace(TO_LINE_START, "\r") : text;
  const plain = returned.replace(ESCAPES, "").replace(isTerminal ? UNSEEN_IN_TERMINAL : UNSEEN, "");
  const lines = plain.replaceAll(/\r+\n/g, "\n");
  if (!/[\r\b]/.test(lines)) return lines;
  return lines.split("\n").map(lastState).join("\n");
}

/** Keeps the text behind the last carriage return of a line, and applies backspaces. */
function lastState(line: string): string {
  const segments = line.split("\r");
  const last = segments.findLast((segment) => segment !== "") ?? "";
  if (!last.includes("\b")) return last;
  const shown: string[] = [];
  for (const char of last) {
    if (char === "\b") shown.pop();
    else shown.push(char);
  }
  return shown.join("");
}

/** The bytes at the end that are the first of a longer character. */
function unfinishedCharacter(bytes: Buffer): number {
  for (let back = 1; back < LONGEST_CHARACTER && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return lengthFrom(byte) > back ? back : 0;
  }
  return 0;
}

function lengthFrom(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}
