import type { PageRange } from "@llmc/documents";
import { InvalidArgumentError } from "@llmc/errors";

const RANGE = /^(\d{1,6})(?:(-)(\d{1,6})?)?$/;

export function parsePages(pages: string | undefined): PageRange {
  if (pages === undefined) return { first: 1, last: undefined };
  const match = RANGE.exec(pages);
  const first = Number(match?.[1]);
  const last = match?.[3] !== undefined ? Number(match[3]) : match?.[2] === undefined ? first : undefined;
  if (match === null || first < 1 || (last !== undefined && last < first)) {
    throw new InvalidArgumentError(
      `linux.fs_read: pages is ${JSON.stringify(pages)}`,
      'Pages count from 1: "3", "1-5" or "2-".',
    );
  }
  return { first, last };
}
