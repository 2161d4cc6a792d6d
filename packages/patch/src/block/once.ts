import { returnScratch, takeScratch } from "../text/newlines.js";
import type { BlockEdit } from "./check-edits.js";
import type { Terminator } from "./lines.js";
import { fitEnds, type LineEnds } from "./fit-ends.js";

/** A block that occurs once. */
export interface Once {
  readonly from: number;
  readonly to: number;
  readonly fresh: Buffer;
  readonly lineEnds: LineEnds | undefined;
}

// As in find.ts: the native search may compare no more than this anew at each place.
const HEAD = 64;
const NEWLINE = 10;
const RETURN = 13;

/**
 * Finds the block of a single edit without a string of the whole file: 2 MB take 1 ms instead of 2. Returns undefined
 * if the full search is needed: the block is absent, its beginning occurs again, or it begins within a CRLF.
 */
export function findOnce(content: Buffer, edit: BlockEdit): Once | undefined {
  const wanted = Buffer.from(edit.oldText);
  const head = wanted.subarray(0, HEAD);
  const from = content.indexOf(head);
  const to = from + wanted.length;
  if (from === -1 || content.indexOf(head, from + 1) !== -1 || !content.subarray(from, to).equals(wanted))
    return undefined;
  const splitsLineEnd = wanted[0] === NEWLINE && content[from - 1] === RETURN;
  if (splitsLineEnd) return undefined;
  const { text, lineEnds } = fitEnds(edit, terminatorAt(content, from));
  return { from, to, fresh: Buffer.from(text), lineEnds };
}

export function replaceOnce(content: Buffer, { from, to, fresh }: Once): Buffer {
  return Buffer.concat([content.subarray(0, from), fresh, content.subarray(to)]);
}

function terminatorAt(content: Buffer, place: number): Terminator | undefined {
  const next = content.indexOf(NEWLINE, place);
  const newline = next === -1 ? content.lastIndexOf(NEWLINE) : next;
  if (newline === -1) return undefined;
  return content[newline - 1] === RETURN ? "\r\n" : "\n";
}

export function newlinesBefore(content: Buffer, place: number): number {
  const scratch = takeScratch();
  let count = 0;
  for (let at = 0; at < place; at += scratch.bytes.length) {
    const copied = content.copy(scratch.bytes, 0, at, Math.min(place, at + scratch.bytes.length));
    count += scratch.count(0, copied);
  }
  returnScratch(scratch);
  return count;
}
