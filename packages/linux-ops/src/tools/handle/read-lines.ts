import { InvalidArgumentError, OpsError } from "@llmc/errors";
import { lineRange, type Handle, type LineRange } from "@llmc/handles";
import { sliceText } from "@llmc/te-fs";
import { shownText } from "@llmc/te-search";
import { findFile, findTest } from "@llmc/commands";
import { DEFAULT_BUDGET, fitting, fitTokens } from "../../answer/budget.js";
import { keptText } from "../../answer/handle.js";
import type { LinuxOpsContext } from "../../context/context.js";
import { LEAST_KEPT_BYTES, searchTime } from "../search/content/content-query.js";
import { findContent } from "../search/content/find-content.js";
import { heldSource } from "../search/content/source.js";

export interface LinesWanted {
  readonly lines?: string | undefined;
  readonly match?: string | undefined;
  readonly around: number;
  readonly test?: string | undefined;
  readonly file?: string | undefined;
}

/** Tokens and bytes of the budget that the header needs. */
const KEPT_BACK = 100;
const ROOM = { tokens: DEFAULT_BUDGET.tokens - KEPT_BACK, bytes: DEFAULT_BUDGET.bytes - KEPT_BACK };

/** Returns lines of a kept text, or only matching lines, and the lines to ask for next if not all fit. */
export async function readLines(id: string, wanted: LinesWanted, context: LinuxOpsContext) {
  const { lines, match, around } = wanted;
  const { signal, mcp } = context;
  if (around > 0 && match === undefined) throw new InvalidArgumentError("around needs match", "Pass match, or lines.");
  const { handle, bytes } = await keptText(id, context);
  const { totalLines: total } = await sliceText(bytes, { maxLines: 1, maxLineChars: 1, maxBytes: 1, signal });
  const section = sectionOf(bytes, wanted);
  const range = section ?? (lines === undefined ? { from: 1, to: total } : lineRange(lines, total));
  const text = { handle, bytes, range, maxLineChars: mcp.linux_ops.fs.max_line_chars };
  const { last, ...told } =
    match === undefined ? await linesOf(text, signal) : await matchesIn(text, { match, around }, context);
  return {
    ...told,
    encoding: "utf8" as const,
    offset: 0,
    bytes: Buffer.byteLength(told.data),
    next_offset: null,
    total_bytes: handle.size,
    type: handle.type,
    meta: handle.meta,
    total_lines: total,
    first_line: range.from,
    last_line: last,
    ...(last < range.to ? { next_lines: `${last + 1}-${range.to}` } : {}),
  };
}

/** Lines about a failing test or a file. */
function sectionOf(bytes: Buffer, { test, file }: LinesWanted): LineRange | undefined {
  if (test === undefined && file === undefined) return undefined;
  const text = bytes.toString();
  const found = test === undefined ? findFile(text, file ?? "") : findTest(text, test);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(`No line names ${JSON.stringify(test ?? file)}`, "Find it with match.");
}

interface KeptText {
  readonly handle: Handle;
  readonly bytes: Buffer;
  readonly range: LineRange;
  readonly maxLineChars: number;
}

interface Told {
  readonly data: string;
  /** Last line that the answer covers. */
  readonly last: number;
  readonly hits?: number;
  readonly shown_hits?: number;
  readonly note?: string;
}

async function linesOf({ bytes, range, maxLineChars }: KeptText, signal: AbortSignal): Promise<Told> {
  const { from, to } = range;
  const wanted = { offsetLines: from - 1, maxLines: to - from + 1, maxLineChars, maxBytes: ROOM.bytes, signal };
  const { content, returnedLines } = fitTokens(await sliceText(bytes, wanted), ROOM.tokens, "first");
  return { data: content, last: from + returnedLines - 1 };
}

async function matchesIn(
  { handle, bytes, range, maxLineChars }: KeptText,
  { match, around }: { readonly match: string; readonly around: number },
  context: LinuxOpsContext,
): Promise<Told> {
  const { mcp } = context;
  const source = heldSource({ name: handle.id, bytes }, await context.search(), context);
  const query = {
    root: handle.id,
    pattern: match,
    literal: false,
    ignoreCase: true,
    multiline: false,
    respectIgnore: false,
    includeHidden: true,
    mode: "lines",
    maxScanHits: mcp.linux_ops.search.max_scan_hits,
    maxKeptBytes: Math.max(mcp.handles.max_payload_bytes, LEAST_KEPT_BYTES),
    maxLineChars,
  } as const;
  const finding = { source, deadlineMs: searchTime(context), isRanked: false, maxBytes: 0 };
  const { found, note } = await findContent(query, finding, context).catch((thrown: unknown) => {
    throw withoutLiteral(thrown);
  });
  const hits = found.files.flatMap((file) => file.hits.filter(({ line }) => line >= range.from && line <= range.to));
  const all = around === 0 ? [] : bytes.toString().split("\n");
  const told = (hit: (typeof hits)[number]) =>
    around === 0 ? `${hit.line}: ${shownText(hit)}` : near(all, hit.line, around);
  const shown = fitting(hits, told, ROOM);
  return {
    data: shown.map((hit) => `${told(hit)}\n`).join(around === 0 ? "" : "--\n"),
    last: shown.length < hits.length ? (shown.at(-1)?.line ?? range.from) : range.to,
    // The search counts all hits and keeps only the first of very many.
    hits: hits.length === found.files.flatMap((file) => file.hits).length ? found.total : hits.length,
    shown_hits: shown.length,
    ...(note === undefined ? {} : { note }),
  };
}

/** Returns a line and those around it, each with its number. */
function near(lines: readonly string[], line: number, around: number): string {
  const from = Math.max(1, line - around);
  const some = lines.slice(from - 1, line + around);
  return some.map((text, at) => `${from + at}${from + at === line ? ":" : "-"} ${text}`).join("\n");
}

/** Replaces the hint of the search, because this tool has no argument `literal`. */
function withoutLiteral(thrown: unknown): unknown {
  if (!OpsError.is(thrown) || thrown.remedy?.id !== "search-as-text") return thrown;
  return new InvalidArgumentError(`match: ${thrown.message}`, "Write a backslash before ( [ { or *.");
}
