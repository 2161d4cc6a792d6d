import type { LinuxOpsContext } from "../context.js";

export interface LineRange {
  readonly offset: number;
  readonly count: number;
}

const SUFFIX = /^(.+)#L(\d{1,9})(?:-L?(\d{1,9}))?$/s;
const MOST_LINES = 2000;

/** `file#L10-L20` is lines 10 to 20, `file#L10` line 10 and on, unless a file of that literal name exists. */
export async function splitLineSuffix(
  path: string,
  { files, signal }: Pick<LinuxOpsContext, "files" | "signal">,
): Promise<{ path: string; lines?: LineRange }> {
  const match = SUFFIX.exec(path);
  if (match === null || (await files.exists(path, { signal }))) return { path };
  const first = Math.max(1, Number(match[2]));
  const last = match[3] === undefined ? undefined : Math.max(first, Number(match[3]));
  const count = last === undefined ? 200 : Math.min(MOST_LINES, last - first + 1);
  return { path: match[1] ?? path, lines: { offset: first - 1, count } };
}
