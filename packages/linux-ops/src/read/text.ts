import { readSlice, type LineSlice, type OpenFile } from "@llmc/te-fs";
import type { LinuxOpsContext } from "../context.js";

export interface TextWanted {
  readonly offsetLines: number;
  readonly maxLines: number;
  readonly tailLines: number | undefined;
  readonly maxBytes: number;
}

export interface Reading {
  readonly content: string;
  readonly handle: string | null;
  readonly meta: {
    path: string;
    total_lines: number;
    truncated: boolean;
    first_line?: number | undefined;
    returned_lines?: number | undefined;
    next_offset_lines?: number | undefined;
    cut_lines?: { line: number; chars: number }[] | undefined;
    encoding?: string | undefined;
    total_bytes?: number | undefined;
    next_offset_bytes?: number | null | undefined;
    changed_while_read?: true | undefined;
  };
}

/** A slice of lines, and where it is not the whole file a handle on all of it, made of the same read. */
export async function readText(path: string, wanted: TextWanted, context: LinuxOpsContext): Promise<Reading> {
  await using file = await context.files.open(path, { signal: context.signal });
  const kept = await keptHandle(file, context);
  const slice = await readSlice(file, {
    offsetLines: wanted.offsetLines,
    maxLines: wanted.maxLines,
    ...(wanted.tailLines === undefined ? {} : { tailLines: wanted.tailLines }),
    maxBytes: wanted.maxBytes,
    maxLineChars: context.mcp.linux_ops.fs.max_line_chars,
    keepWholeUpTo: kept === null ? context.mcp.handles.max_payload_bytes : 0,
    lineIndex: context.lineIndex,
    signal: context.signal,
  });
  const truncated = isTruncated(slice, wanted);
  const handle = truncated ? (kept ?? (await makeHandle(file, slice, context))) : null;
  return { content: slice.content, handle, meta: metaOf(file.path, slice, truncated) };
}

/** A tail leaves out what stands before it; a slice by offset leaves out what comes after, as the seed counts it. */
function isTruncated(slice: LineSlice, wanted: TextWanted): boolean {
  const before = wanted.tailLines !== undefined && slice.firstLine > 1;
  return before || slice.nextOffsetLines !== null || slice.cutLines.length > 0;
}

function metaOf(path: string, slice: LineSlice, truncated: boolean): Reading["meta"] {
  return {
    path,
    total_lines: slice.totalLines,
    truncated,
    ...(slice.returnedLines === slice.totalLines && !truncated
      ? {}
      : { first_line: slice.firstLine, returned_lines: slice.returnedLines }),
    ...(slice.nextOffsetLines === null ? {} : { next_offset_lines: slice.nextOffsetLines }),
    ...(slice.cutLines.length === 0 ? {} : { cut_lines: slice.cutLines.map(({ line, chars }) => ({ line, chars })) }),
    ...(slice.encoding === "utf-8" ? {} : { encoding: slice.encoding }),
    ...(slice.changed ? { changed_while_read: true as const } : {}),
  };
}

/** The same unchanged file has one handle: then nothing but the slice has to be read again. */
async function keptHandle(file: OpenFile, { handles, session }: LinuxOpsContext): Promise<string | null> {
  const store = await handles();
  return (await store.findBySource(session.owner, file.identity))?.id ?? null;
}

async function makeHandle(file: OpenFile, slice: LineSlice, context: LinuxOpsContext): Promise<string | null> {
  if (slice.whole === null) return null;
  const store = await context.handles();
  const made = await store.create({
    owner: context.session.owner,
    type: "file_content",
    meta: { kind: "file_content", path: file.path },
    payload: slice.whole,
    ...(slice.changed ? {} : { source: { ...slice.identity, readAtMs: slice.readAt } }),
    signal: context.signal,
  });
  return made?.id ?? null;
}
