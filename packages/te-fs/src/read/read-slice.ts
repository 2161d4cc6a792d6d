import { UnsupportedContentError } from "@llmc/errors";
import { fstat, type Descriptor, type Work } from "@llmc/te-path";
import { CHUNK, type Encoding, returnScratch, takeScratch, type Scratch } from "@llmc/patch";
import { type Content, identityOf, RegularFile, sameIdentity, type FileIdentity, type OpenFile } from "./open-file.js";
import { describeBinary } from "./binary.js";
import { extract } from "./extract.js";
import type { LineIndexCache, LineMap } from "./line-map.js";
import { Page, type CutLine } from "./page.js";
import { fetchFrom, fetchHeld, findLine, scan, type Fetch } from "./scan.js";

export interface PageWanted {
  /** Lines to skip. */
  readonly offsetLines?: number;
  readonly maxLines: number;
  /** The last lines instead, at most `maxLines` of them. Where `maxBytes` does not hold them all, the last of them. */
  readonly tailLines?: number | undefined;
  /** A longer line is cut and says so. */
  readonly maxLineChars: number;
  /** Budget of the content as UTF-8. It ends at the end of a line; at least one line is there, cut if need be. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface SliceOptions extends PageWanted {
  /** Files up to this size come as a whole, too. 0: none. */
  readonly keepWholeUpTo: number;
  readonly lineIndex?: LineIndexCache | undefined;
}

export interface TextSlice {
  /** The lines with their own terminators: slices in a row make up the decoded text, unless a line was cut. */
  readonly content: string;
  readonly totalLines: number;
  /** Number of the first line of the slice, from 1. */
  readonly firstLine: number;
  readonly returnedLines: number;
  /** Where to read on; null at the end. */
  readonly nextOffsetLines: number | null;
  readonly cutLines: readonly CutLine[];
  readonly encoding: Encoding["name"];
}

export interface LineSlice extends TextSlice {
  /** The file's bytes, from the same read. */
  readonly whole: Buffer | null;
  /** When the read began, in ms since 1970. */
  readonly readAt: number;
  /** Of what was read; with `changed`, of what the file is by now. */
  readonly identity: FileIdentity;
  /** The file changed each time while it was being read. */
  readonly changed: boolean;
}

// A file that changes while it is read is read again, unless that would take long: a large log always changes.
const ATTEMPTS = 3;
const MAX_REREAD = 8 * 1024 * 1024;

/** Lines of a text file of any size. Throws UnsupportedContentError for a binary one. */
export function readSlice(file: OpenFile, options: SliceOptions): Promise<LineSlice> {
  const regular = RegularFile.of(file);
  return regular.use((descriptor) => slices(regular, descriptor, options), options.signal);
}

interface Source {
  readonly regular: RegularFile;
  readonly file: Descriptor;
  /** Null if the file is read piece by piece. */
  readonly content: Content | null;
}

function* slices(regular: RegularFile, file: Descriptor, options: SliceOptions): Work<LineSlice> {
  const content = yield* regular.content(file);
  const scratch = takeScratch();
  try {
    for (let attempt = 1; ; attempt++) {
      const before = content === null ? identityOf(yield* fstat(file)) : regular.identity;
      const slice = yield* sliceOnce({ regular, file, content }, before, options, scratch);
      if (!slice.changed || attempt === ATTEMPTS || before.size > MAX_REREAD) return slice;
    }
  } finally {
    returnScratch(scratch);
  }
}

function* sliceOnce(
  { regular, file, content }: Source,
  before: FileIdentity,
  options: SliceOptions,
  scratch: Scratch,
): Work<LineSlice> {
  const { keepWholeUpTo, lineIndex } = options;
  const { bytes = null, readAt = Date.now() } = content ?? {};
  const size = Number(before.size);
  const isWhole = keepWholeUpTo > 0 && size <= keepWholeUpTo;
  // Another machine's clock says nothing about how old a change is.
  const index = regular.isLocal ? lineIndex : undefined;
  const known = bytes === null && !isWhole ? index?.get(before) : undefined;
  const room = bytes === null && isWhole ? Buffer.allocUnsafeSlow(size) : undefined;
  const inspect = (head: Buffer, encoding: Encoding): void => refuseBinary(head, encoding, regular.path, size);
  const map = known ?? (yield* scan(fetchFrom(file, bytes, scratch), { size, scratch, whole: room, inspect }));
  const kept = bytes ?? room ?? null;
  // A file of a single chunk is still in the scratch buffer after the scan, so the page needs no second read.
  const isHeld = known === undefined && map.end <= CHUNK;
  const page = yield* fillPage(map, isHeld ? fetchHeld(scratch) : fetchFrom(file, kept, scratch), options, scratch);
  const identity = bytes === null ? identityOf(yield* fstat(file)) : before;
  const changed = !sameIdentity(before, identity);
  if (!changed && known === undefined) index?.set(identity, map, readAt);

  const whole = isWhole && kept !== null ? kept.subarray(0, map.end) : null;
  return { ...sliceOf(page, map.lines, map.encoding), whole, readAt, identity, changed };
}

export function sliceOf(page: Page, lines: number, { name }: Encoding): TextSlice {
  const next = page.firstLine - 1 + page.count;
  return {
    content: page.content,
    totalLines: lines,
    firstLine: page.firstLine,
    returnedLines: page.count,
    nextOffsetLines: next < lines ? next : null,
    cutLines: page.cutLines,
    encoding: name,
  };
}

/** An empty page, and how many lines stand before it. */
export function startPage(lines: number, wanted: PageWanted): { readonly page: Page; readonly first: number } {
  const { maxLines, maxLineChars, maxBytes, tailLines, offsetLines = 0 } = wanted;
  const first = tailLines === undefined ? offsetLines : Math.max(0, lines - Math.min(tailLines, maxLines));
  const keep = tailLines === undefined ? "first" : "last";
  return { page: new Page(first + 1, { maxLines, maxLineChars, maxBytes, keep }), first };
}

function* fillPage(map: LineMap, fetch: Fetch, options: SliceOptions, scratch: Scratch): Work<Page> {
  const { page, first } = startPage(map.lines, options);
  if (first >= map.lines) return page;
  const position = yield* findLine(map, first, fetch, scratch);
  yield* extract({ encoding: map.encoding, position, end: map.end, maxLineChars: options.maxLineChars }, fetch, page);
  return page;
}

function refuseBinary(head: Buffer, { name }: Encoding, path: string, size: number): void {
  if (name === "utf-8" && head.includes(0)) throw new UnsupportedContentError(path, describeBinary(head), size);
}
