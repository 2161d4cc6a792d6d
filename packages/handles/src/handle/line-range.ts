import { InvalidArgumentError } from "@llmc/errors";

/** Lines of a text, counted from 1, both inclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

const RANGE = /^(?:(\d{1,9})(?:(-)(\d{1,9})?)?|-(\d{1,9}))$/;

/** Returns the lines that "10-20", "10-", "10" or "-20" (the last 20) mean. */
export function lineRange(lines: string, total: number): LineRange {
  const [match, first, dash, last, fromEnd] = RANGE.exec(lines.trim()) ?? [];
  const from = fromEnd === undefined ? Number(first) : Math.max(1, total - Number(fromEnd) + 1);
  const to = fromEnd === undefined && dash === undefined ? from : Math.min(total, Number(last ?? total));
  if (match === undefined || from < 1 || to < from || Number(last ?? from) < from)
    throw new InvalidArgumentError(
      match !== undefined && from > total
        ? `lines is ${JSON.stringify(lines)}, and there are ${total} lines`
        : `lines is ${JSON.stringify(lines)}`,
      'Lines count from 1: "10-20", "10-"; "-20" are the last 20.',
    );
  return { from, to };
}
