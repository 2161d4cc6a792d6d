import type { AppliedHunk } from "./apply.js";
import type { Overlooked } from "./overlooked.js";
import type { Slip } from "./readings.js";

const SAID: Readonly<Record<Slip, string>> = {
  "line ends": "line ends kept as in the file",
  "trailing whitespace": "trailing whitespace ignored",
  indentation: "indentation taken from the file",
  "bytes that are no UTF-8": "� taken for the bytes of the file",
  "context lines without their space": "context lines lacked their space",
  "a space too many before each line": "each line had a space too many",
  "the place named behind @@": "the line named behind @@ is not in the file, and the hunk fits one place only",
  "the end of the file": "not at the end of the file",
  "counts in @@": "wrong counts in @@",
};

/** What was not exact when hunks were placed, one line for all hunks of which the same is to be said. */
export function notesOf(hunks: readonly AppliedHunk[]): readonly string[] {
  const numbers = new Map<string, number[]>();
  for (const hunk of hunks) {
    const remark = remarkOn(hunk);
    if (remark === "") continue;
    const known = numbers.get(remark);
    if (known === undefined) numbers.set(remark, [hunk.hunk]);
    else known.push(hunk.hunk);
  }
  return [...numbers].map(([remark, all]) => `${named(all)}: ${remark}`);
}

function remarkOn({ offset, slips, overlooked }: AppliedHunk): string {
  const remarks: string[] = [];
  if (offset !== null && offset !== 0) remarks.push(shifted(offset));
  for (const each of overlooked) remarks.push(lookedPast(each));
  return [...remarks, ...slips.map((slip) => SAID[slip])].join(", ");
}

function lookedPast({ line, wanted, found }: Overlooked): string {
  if (found === null) return `context ${quoted(wanted)} is beyond the end of the file`;
  return `line ${line} is ${quoted(found)} where the hunk has ${quoted(wanted)}`;
}

const LONGEST = 60;

/** A line of a file or a hunk, as a message names it. */
export function quoted(line: string): string {
  const text = line.trim();
  return JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

function shifted(offset: number): string {
  const lines = Math.abs(offset);
  return `${lines} line${lines === 1 ? "" : "s"} ${offset > 0 ? "lower" : "higher"} than stated`;
}

function named(hunks: readonly number[]): string {
  if (hunks.length === 1) return `hunk ${hunks[0] ?? 0}`;
  const shown = hunks.slice(0, 6).join(", ");
  return `hunks ${shown}${hunks.length > 6 ? ` and ${hunks.length - 6} more` : ""}`;
}
