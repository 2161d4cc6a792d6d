import { OpsError } from "@llmc/errors";
import { readSlice, type LineSlice } from "@llmc/te-fs";
import type { HitFile } from "@llmc/te-search";
import type { LineRange } from "../../../answer/text-lines.js";
import type { LinuxOpsContext } from "../../../context/context.js";

/** Lines of a file by their number; those that could not be read are missing. */
export type Lines = ReadonlyMap<number, string>;

/** Lines between two ranges that are read rather than asked for again. */
const BRIDGED = 200;
const MAX_SLICE_BYTES = 1_000_000;

export interface AroundOptions {
  readonly maxLineChars: number;
  /** A performance.now() value: what is not read by then is not shown. */
  readonly until: number;
}

/** Reads the lines around hits, through the walk like everything else. `ranges` are sorted. */
export async function readAround(
  file: HitFile,
  ranges: readonly LineRange[],
  { maxLineChars, until }: AroundOptions,
  { files, lineIndex, signal }: LinuxOpsContext,
): Promise<Lines> {
  const lines = new Map<number, string>();
  if (performance.now() >= until) return lines;
  try {
    await using open = await files.read(file.path, { lineIndex, signal });
    for (const { from, to } of bridged(ranges)) {
      const slice = await readSlice(open, {
        offsetLines: from - 1,
        maxLines: to - from + 1,
        maxLineChars,
        maxBytes: MAX_SLICE_BYTES,
        keepWholeUpTo: 0,
        lineIndex,
        signal,
      });
      splitLines(slice).forEach((line, index) => lines.set(slice.firstLine + index, line));
    }
  } catch (thrown) {
    // The file is gone, or not readable any more: what was found in it stands without its surroundings.
    if (!OpsError.is(thrown) || thrown.code === "INTERNAL" || signal.aborted) throw thrown;
  }
  return agree(file, lines, maxLineChars) ? lines : new Map();
}

function splitLines({ content, firstLine }: LineSlice): string[] {
  // An engine does not tell of a byte order mark.
  const text = firstLine === 1 ? content.replace(/^\ufeff/, "") : content;
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  // What comes after the last newline is a line only where there is something.
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function bridged(ranges: readonly LineRange[]): LineRange[] {
  const joined: LineRange[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last === undefined || range.from > last.to + BRIDGED) joined.push(range);
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
  }
  return joined;
}

/** A file that was changed since must not put other lines around what was found. */
function agree({ hits }: HitFile, lines: Lines, maxLineChars: number): boolean {
  return hits.every(({ line, text, cut }) => {
    const read = lines.get(line);
    if (read === undefined || read.length >= maxLineChars || cut.before + cut.after > 0) return true;
    return read === text || text.startsWith(`${read}\n`) || text.startsWith(`${read}\r\n`);
  });
}
