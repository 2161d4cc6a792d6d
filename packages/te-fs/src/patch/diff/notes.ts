import type { AppliedHunk } from "./apply.js";
import type { Slip } from "./readings.js";

const SAID: Readonly<Record<Slip, string>> = {
  "line ends": "line ends kept as in the file",
  "trailing whitespace": "trailing whitespace ignored",
  "bytes that are no UTF-8": "bytes that are no UTF-8 taken for those shown",
  "context lines without their space": "context lines lacked their space",
  "a space too many before each line": "each line had a space too many",
  "the place named behind @@": "the line named behind @@ is not in the file",
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

function remarkOn({ offset, fuzz, slips }: AppliedHunk): string {
  const remarks: string[] = [];
  if (offset !== null && offset !== 0) remarks.push(shifted(offset));
  if (fuzz > 0) remarks.push(`the outermost ${fuzz === 1 ? "context line" : `${fuzz} context lines`} ignored`);
  return [...remarks, ...slips.map((slip) => SAID[slip])].join(", ");
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
