import { storeIfAny } from "@llmc/handles";
import { readSlice, type LineSlice, type OpenFile, type PageWanted, type TextSlice } from "@llmc/te-fs";
import type { LinuxOpsContext } from "../../../context/context.js";
import { fitTokens } from "../../../answer/budget.js";
import type { Reading, Wanted } from "./reading.js";
import { makeHandleId } from "../../../answer/handle.js";

/** A slice of lines, and where it is not the whole file a handle on all of it, made of the same read. */
export async function readText(file: OpenFile, wanted: Wanted, context: LinuxOpsContext): Promise<Reading> {
  const kept = await keptHandle(file, context);
  const read = await readSlice(file, {
    ...pageWanted(wanted, context),
    keepWholeUpTo: kept === null ? context.mcp.handles.max_payload_bytes : 0,
    lineIndex: context.lineIndex,
  });
  const slice = fit(read, wanted);
  const truncated = isTruncated(slice, wanted);
  const handle = truncated ? (kept ?? (await makeHandle(file, slice, context))) : null;
  const meta = metaOf(file.path, slice, truncated);
  return { content: slice.content, handle, meta: slice.changed ? { ...meta, changed_while_read: true } : meta };
}

export function pageWanted(wanted: Wanted, { mcp, signal }: LinuxOpsContext): PageWanted {
  return {
    offsetLines: wanted.offsetLines,
    maxLines: wanted.maxLines,
    tailLines: wanted.tailLines,
    maxBytes: wanted.budget.bytes,
    maxLineChars: mcp.linux_ops.fs.max_line_chars,
    signal,
  };
}

export function fit<S extends TextSlice>(slice: S, { budget, tailLines }: Wanted): S {
  return fitTokens(slice, budget.tokens, tailLines === undefined ? "first" : "last");
}

/** A tail leaves out what stands before it; a slice by offset leaves out what comes after, as the seed counts it. */
export function isTruncated(slice: TextSlice, { tailLines }: Wanted): boolean {
  const before = tailLines !== undefined && slice.firstLine > 1;
  return before || slice.nextOffsetLines !== null || slice.cutLines.length > 0;
}

export function metaOf(path: string, slice: TextSlice, truncated: boolean): Reading["meta"] {
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
    ...pastEnd(slice),
  };
}

/** Returns the requested offset if the file ends before it, because `firstLine` is the requested line even then. */
function pastEnd({ firstLine, totalLines }: TextSlice): { past_end?: number } {
  return firstLine > 1 && firstLine > totalLines ? { past_end: firstLine - 1 } : {};
}

/** Counts U+FFFD, because undecodable bytes must not pass for text of the file. */
function replacedNote({ content }: TextSlice): { replaced_chars?: number } {
  const replaced = content.split("\ufffd").length - 1;
  return replaced === 0 ? {} : { replaced_chars: replaced };
}

/** The same unchanged file has one handle: then nothing but the slice has to be read again. */
async function keptHandle(file: OpenFile, context: LinuxOpsContext): Promise<string | null> {
  const store = await storeIfAny(context.handles);
  return (await store?.findBySource(context.session.owner, file.identity))?.id ?? null;
}

async function makeHandle(file: OpenFile, slice: LineSlice, context: LinuxOpsContext): Promise<string | null> {
  if (slice.whole === null) return null;
  return await makeHandleId(context, {
    type: "file_content",
    meta: { kind: "file_content", path: file.path },
    payload: slice.whole,
    ...(slice.changed ? {} : { source: { ...slice.identity, readAtMs: slice.readAt } }),
  });
}
