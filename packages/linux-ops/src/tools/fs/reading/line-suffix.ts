import { InvalidArgumentError } from "@llmc/errors";
import type { LinuxOpsContext } from "../../../context/context.js";

export interface LineRange {
  readonly offset: number;
  /** undefined: that line and on. */
  readonly count: number | undefined;
}

const SUFFIX = /^(.+)#L(\d{1,9})(?:-L?(\d{1,9}))?$/s;

/** `file#L10-L20` is lines 10 to 20, `file#L10` line 10 and on, unless a file of that literal name exists. */
export async function splitLineSuffix(
  path: string,
  { files, signal }: Pick<LinuxOpsContext, "files" | "signal">,
): Promise<{ path: string; lines?: LineRange }> {
  const match = SUFFIX.exec(path);
  if (match === null || (await files.exists(path, { signal }))) return { path };
  const first = Number(match[2]);
  const last = match[3] === undefined ? undefined : Number(match[3]);
  if (first < 1 || (last !== undefined && last < first)) {
    throw new InvalidArgumentError(`linux.fs_read: ${path} names no lines`, "Lines count from 1: path#L10-L20.");
  }
  return {
    path: match[1] ?? path,
    lines: { offset: first - 1, count: last === undefined ? undefined : last - first + 1 },
  };
}
