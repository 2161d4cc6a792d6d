import { lineMaker } from "./numbered-lines.js";

/** Two contents of a file, and for each the change that makes it of the other one. */
export interface Versions<Change> {
  readonly contents: readonly [string, string];
  readonly changes: readonly [Change, Change];
}

/** `content` is what becomes of the file. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly content: string;
}

export interface Patch {
  readonly diff: string;
  readonly content: string;
}

const WORDS = 6;
const CONTEXT = 3;

export function tenKilobytes(): Versions<string> {
  const lines = lineMaker(WORDS)(200);
  const contents = [textOf(lines), textOf(lines.toReversed())] as const;
  return { contents, changes: contents };
}

/** 2 MB, of which one line changes. */
export function oneEdit(): Versions<Edit> {
  const at = 20_000;
  return versionsOf([at], (from, to) => ({
    oldText: blockAt(from, at),
    newText: blockAt(to, at),
    content: textOf(to),
  }));
}

/** 2 MB, of which ten lines change, far apart. */
export function tenHunks(name: string): Versions<Patch> {
  const places = Array.from({ length: 10 }, (_, index) => 2_000 + 4_000 * index);
  return versionsOf(places, (from, to) => ({ diff: diffOf(name, from, to), content: textOf(to) }));
}

function versionsOf<Change>(
  places: readonly number[],
  change: (from: readonly string[], to: readonly string[]) => Change,
): Versions<Change> {
  // Just below the size up to which a file is patched.
  const plain = lineMaker(WORDS)(40_000);
  const changed = plain.map((line, at) => (places.includes(at) ? `${line} changed` : line));
  return { contents: [textOf(plain), textOf(changed)], changes: [change(changed, plain), change(plain, changed)] };
}

function textOf(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

/** A line with its neighbours, as it stands in a call that replaces it. */
function blockAt(lines: readonly string[], at: number): string {
  return lines.slice(at - CONTEXT, at + CONTEXT + 1).join("\n");
}

/** A unified diff of texts of equally many lines, with a hunk for each line that differs: those lie far apart. */
export function diffOf(name: string, from: readonly string[], to: readonly string[]): string {
  const hunks = from.flatMap((line, at) => (line === to[at] ? [] : hunk(from, to, at)));
  return [`--- a/${name}`, `+++ b/${name}`, ...hunks, ""].join("\n");
}

function hunk(from: readonly string[], to: readonly string[], at: number): string[] {
  const start = Math.max(0, at - CONTEXT);
  const [before, after] = [from.slice(start, at), from.slice(at + 1, at + 1 + CONTEXT)];
  const span = `${start + 1},${before.length + 1 + after.length}`;
  const kept = (lines: readonly string[]) => lines.map((line) => ` ${line}`);
  return [`@@ -${span} +${span} @@`, ...kept(before), `-${from[at]}`, `+${to[at]}`, ...kept(after)];
}
