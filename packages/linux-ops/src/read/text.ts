import { readSlice, type LineSlice, type OpenFile } from "@llmc/te-fs";
import type { LinuxOpsContext } from "../context.js";
import { fitTokens, type Budget } from "./budget.js";

export interface TextWanted {
  readonly offsetLines: number;
  readonly maxLines: number;
  readonly tailLines: number | undefined;
  readonly budget: Budget;
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
    replaced_chars?: number | undefined;
    total_bytes?: number | undefined;
    next_offset_bytes?: number | null | undefined;
    changed_while_read?: true | undefined;
  };
}

/** A slice of lines, and where it is not the whole file a handle on all of it, made of the same read. */
export async function readText(path: string, wanted: TextWanted, context: LinuxOpsContext): Promise<Reading> {
  await using file = await context.files.open(path, { signal: context.signal });
  const kept = await keptHandle(file, context);
  const read = await readSlice(file, {
    offsetLines: wanted.offsetLines,
    maxLines: wanted.maxLines,
    ...(wanted.tailLines === undefined ? {} : { tailLines: wanted.tailLines }),
    maxBytes: wanted.budget.bytes,
    maxLineChars: context.mcp.linux_ops.fs.max_line_chars,
    keepWholeUpTo: kept === null ? context.mcp.handles.max_payload_bytes : 0,
    lineIndex: context.lineIndex,
    signal: context.signal,
  });
  const slice = fitTokens(read, wanted.budget.tokens, wanted.tailLines === undefined ? "first" : "last");
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
    ...(slice.returnedLines === slice.totalLines && !truncated ? {} : { returned_lines: slice.returnedLines }),
    ...(slice.returnedLines === slice.totalLines || slice.returnedLines === 0 ? {} : { first_line: slice.firstLine }),
    ...(slice.nextOffsetLines === null ? {} : { next_offset_lines: slice.nextOffsetLines }),
    ...(slice.cutLines.length === 0 ? {} : { cut_lines: slice.cutLines.map(({ line, chars }) => ({ line, chars })) }),
    ...(slice.encoding === "utf-8" ? {} : { encoding: slice.encoding }),
    ...replacedNote(slice),
    ...(slice.changed ? { changed_while_read: true as const } : {}),
  };
}

/** Latin-1 and the like: what could not be decoded must not pass for what is in the file. */
function replacedNote({ content }: LineSlice): { replaced_chars?: number } {
  const replaced = content.split("\ufffd").length - 1;
  return replaced === 0 ? {} : { replaced_chars: replaced };
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
