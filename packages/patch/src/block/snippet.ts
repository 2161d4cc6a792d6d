import { countNewlines } from "./lines.js";
import type { UnitText } from "./unit-text.js";

/** A part of a text. */
export interface Part {
  readonly units: string;
  readonly from: number;
  readonly to: number;
}

const AROUND = 3;
const FIRST_LINES = 8;
const LAST_LINES = 3;
const LINE_UNITS = 200;
const NEWLINE = 0x0a;

interface Line {
  readonly start: number;
  readonly end: number;
}

/** The part's lines and a few around them. Long lines are cut around the part, many lines in the middle. */
export function snippetOf(text: UnitText, part: Part): string {
  const { units, from } = part;
  // A part that ends with the end of a line has nothing of the next.
  const to = part.to > from && units.charCodeAt(part.to - 1) === NEWLINE ? part.to - 1 : part.to;
  const show = (line: Line): string => showLine(text, part, line);
  const start = startOf(units, from);
  const end = endOf(units, to);
  const before = start === 0 ? [] : linesBack(units, start - 1, 0, AROUND);
  const behind = end === units.length ? [] : linesFrom(units, end + 1, units.length, AROUND);
  return [...before.map(show), ...partLines(units, start, end, show), ...behind.map(show)].join("\n");
}

const WINDOW = 4096;

/** Returns a part of the file with text around it. */
export function windowAround(text: UnitText, content: Buffer, from: number, to: number): Window {
  const [least, most] = [Math.max(0, from - WINDOW), Math.min(text.lengthOf(content), to + WINDOW)];
  return { least, most, units: text.part(content, least, most) };
}

export interface Window {
  readonly least: number;
  readonly most: number;
  readonly units: string;
}

/** The same of a part of a file's bytes. A few lines of 2 MB need no string of it all. */
export function snippetIn(text: UnitText, content: Buffer, from: number, to: number): string {
  const length = text.lengthOf(content);
  const { least, most, units: window } = windowAround(text, content, from, to);
  const before = least === 0 || countNewlines(window, 0, from - least) > AROUND;
  const behind = most === length || countNewlines(window, to - least, window.length) > AROUND;
  if (before && behind) return snippetOf(text, { units: window, from: from - least, to: to - least });
  return snippetOf(text, { units: text.part(content, 0, length), from, to });
}

function partLines(units: string, start: number, end: number, show: (line: Line) => string): readonly string[] {
  const head = linesFrom(units, start, end, FIRST_LINES + LAST_LINES);
  const shownTo = head.at(-1)?.end ?? end;
  if (shownTo >= end) return head.map(show);
  const tail = linesBack(units, end, start, LAST_LINES);
  const left = countNewlines(units, start, end) + 1 - FIRST_LINES - LAST_LINES;
  return [...head.slice(0, FIRST_LINES).map(show), `…[+${left} lines]`, ...tail.map(show)];
}

/** Lines from the one that starts at `start` to the one that ends at `end` or before. */
function linesFrom(units: string, start: number, end: number, most: number): readonly Line[] {
  const lines: Line[] = [];
  for (let at = start; at <= end && lines.length < most;) {
    const line = { start: at, end: endOf(units, at) };
    lines.push(line);
    at = line.end + 1;
  }
  return lines;
}

/** Lines up to the one that ends at `end`, none that starts before `start`. */
function linesBack(units: string, end: number, start: number, most: number): readonly Line[] {
  const lines: Line[] = [];
  for (let at = end; at >= start && lines.length < most;) {
    const line = { start: startOf(units, at), end: at };
    lines.unshift(line);
    at = line.start - 1;
  }
  return lines;
}

export function startOf(units: string, at: number): number {
  return at === 0 ? 0 : units.lastIndexOf("\n", at - 1) + 1;
}

export function endOf(units: string, at: number): number {
  const newline = units.indexOf("\n", at);
  return newline === -1 ? units.length : newline;
}

/** Returns a line without its line end; cuts a line longer than `most` around the part. */
export function showLine(text: UnitText, { units, from }: Omit<Part, "to">, line: Line, most = LINE_UNITS): string {
  const end = units.charCodeAt(line.end - 1) === 0x0d ? line.end - 1 : line.end;
  if (end - line.start <= most) return text.decode(units.slice(line.start, end));
  const focus = from >= line.start && from <= end ? from : line.start;
  const wished = Math.max(line.start, Math.min(focus - most / 4, end - most));
  const left = characterAt(text, units, wished, line.start);
  const right = characterAt(text, units, Math.min(end, wished + most), left);
  const [before, shown, behind] = [
    units.slice(line.start, left),
    units.slice(left, right),
    units.slice(right, end),
  ].map(text.decode);
  return `${before ? `[+${before.length} chars]…` : ""}${shown}${behind ? `…[+${behind.length} chars]` : ""}`;
}

/** Where the character begins that the unit at `at` is part of. */
function characterAt(text: UnitText, units: string, at: number, least: number): number {
  let begin = at;
  while (begin > least && begin < units.length && text.continues(units.charCodeAt(begin))) begin -= 1;
  return begin;
}
