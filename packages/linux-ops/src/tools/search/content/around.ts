import { OpsError } from "@llmc/errors";
import { readSlice, sliceText, type PageWanted, type TextSlice } from "@llmc/te-fs";
import { windowOf, type Around, type Hit, type HitFile, type LineRange, type Lines } from "@llmc/te-search";
import type { LinuxOpsContext } from "../../../context/context.js";

/** Gap in lines up to which two ranges are read at once. */
const BRIDGED = 200;
const MAX_SLICE_BYTES = 1_000_000;

export interface AroundOptions extends Around {
  /** Time (performance.now()) after which nothing more is read. */
  readonly until: number;
}

/** Reads the lines around hits of a file through te-fs. */
export async function readAround(
  file: HitFile,
  hits: readonly Hit[],
  around: AroundOptions,
  { files, lineIndex, signal }: LinuxOpsContext,
): Promise<Lines> {
  if (performance.now() >= around.until) return new Map();
  try {
    await using open = await files.read(file.path, { lineIndex, signal });
    const slice = (wanted: PageWanted) => readSlice(open, { ...wanted, keepWholeUpTo: 0, lineIndex, signal });
    return await linesAround(hits, around, slice);
  } catch (thrown) {
    // The file is gone or unreadable now, so its hits are shown without lines around them.
    if (!OpsError.is(thrown) || thrown.code === "INTERNAL" || signal.aborted) throw thrown;
    return new Map();
  }
}

/** Reads the lines around hits of a text in memory. */
export async function heldAround(
  text: Buffer,
  hits: readonly Hit[],
  around: Around,
  signal: AbortSignal,
): Promise<Lines> {
  return await linesAround(hits, around, (wanted) => sliceText(text, { ...wanted, signal }));
}

async function linesAround(
  hits: readonly Hit[],
  around: Around,
  slice: (wanted: PageWanted) => Promise<TextSlice>,
): Promise<Lines> {
  const { maxLineChars } = around;
  const lines = new Map<number, string>();
  const ranges = hits.map((hit) => windowOf(hit, around)).toSorted((a, b) => a.from - b.from);
  for (const { from, to } of bridged(ranges)) {
    const wanted = { offsetLines: from - 1, maxLines: to - from + 1, maxLineChars, maxBytes: MAX_SLICE_BYTES };
    const read = await slice(wanted);
    splitLines(read).forEach((line, index) => lines.set(read.firstLine + index, line));
  }
  return agree(hits, lines, maxLineChars) ? lines : new Map();
}

function splitLines({ content, firstLine }: TextSlice): string[] {
  // Engines leave out the byte order mark.
  const text = firstLine === 1 ? content.replace(/^\ufeff/, "") : content;
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  // An empty rest after the last newline is not a line.
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

/** Checks that the file still has the hits; otherwise its lines are not the ones around them. */
function agree(hits: readonly Hit[], lines: Lines, maxLineChars: number): boolean {
  return hits.every(({ line, text, cut }) => {
    const read = lines.get(line);
    if (read === undefined || read.length >= maxLineChars || cut.before + cut.after > 0) return true;
    return read === text || text.startsWith(`${read}\n`) || text.startsWith(`${read}\r\n`);
  });
}
