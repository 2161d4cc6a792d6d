import type { Handle } from "@llmc/handles";
import { DEFAULT_BUDGET, Spending } from "../../answer/budget.js";
import { demandReachable, readPayload } from "../../answer/handle.js";
import { countLines, cutLine, eachLine, inUtf8, offsetOfLine, type LineRange } from "../../answer/text-lines.js";
import type { LinuxOpsContext } from "../../context/context.js";
import { searchTime } from "../search/content/content-query.js";
import { findContent } from "../search/content/find-content.js";
import { shownText } from "../search/content/lines.js";
import { heldSource } from "../search/content/source.js";
import { lineRange } from "./line-range.js";

export interface LinesWanted {
  readonly lines: string | undefined;
  readonly match: string | undefined;
}

/** Of an answer's budget, for its header. */
const KEPT_BACK = 100;

/** Lines of a kept text, or those of them that match. What does not fit is told with the lines to ask for next. */
export async function readLines(id: string, { lines, match }: LinesWanted, context: LinuxOpsContext) {
  const { handle, bytes: kept } = await readPayload(id, context);
  await demandReachable(handle, context);
  const bytes = inUtf8(kept);
  const total = await countLines(bytes, context.signal);
  const range = lines === undefined ? { from: 1, to: total } : lineRange(lines, total);
  const from = await offsetOfLine(bytes, range.from, context.signal);
  const size = await offsetOfLine(bytes.subarray(from), range.to - range.from + 2, context.signal);
  const part = { handle, bytes: bytes.subarray(from, from + size), range };
  const told = match === undefined ? linesOf(part, context) : await matchesIn(part, match, context);
  const { data, last, bytes: read, ...more } = told;
  return {
    data,
    encoding: "utf8" as const,
    offset: from,
    bytes: read,
    next_offset: null,
    total_bytes: handle.size,
    type: handle.type,
    meta: handle.meta,
    total_lines: total,
    first_line: range.from,
    last_line: last ?? range.to,
    ...(last === undefined || last >= range.to ? {} : { next_lines: `${last + 1}-${range.to}` }),
    ...more,
  };
}

interface Part {
  readonly handle: Handle;
  readonly bytes: Buffer;
  readonly range: LineRange;
}

interface Told {
  readonly data: string;
  /** Bytes of the text that were gone through. */
  readonly bytes: number;
  /** Behind it nothing is told any more; undefined: all is. */
  readonly last: number | undefined;
  readonly hits?: number;
  readonly shown_hits?: number;
  readonly note?: string;
}

function room(): Spending {
  const { tokens, bytes } = DEFAULT_BUDGET;
  return new Spending({ tokens: tokens - KEPT_BACK, bytes: bytes - KEPT_BACK });
}

function linesOf({ bytes, range }: Part, { mcp }: LinuxOpsContext): Told {
  const left = room();
  const shown: string[] = [];
  let read = 0;
  eachLine(bytes, 0, (line, next) => {
    const text = cutLine(line, mcp.linux_ops.fs.max_line_chars);
    const takes = left.takes([text]) || shown.length === 0;
    if (!takes) return false;
    shown.push(text);
    read = next;
    return true;
  });
  return { data: shown.map((line) => `${line}\n`).join(""), bytes: read, last: range.from + shown.length - 1 };
}

async function matchesIn({ handle, bytes, range }: Part, match: string, context: LinuxOpsContext): Promise<Told> {
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
    maxKeptBytes: MAX_KEPT_BYTES,
    maxLineChars: mcp.linux_ops.fs.max_line_chars,
  } as const;
  const finding = { source, deadlineMs: searchTime(context), isRanked: false, maxBytes: 0 };
  const { found, note } = await findContent(query, finding, context);
  const hits = found.files.flatMap((file) => file.hits);
  const left = room();
  const numbered = hits.map((hit) => [hit.line + range.from - 1, shownText(hit)] as const);
  const end = numbered.findIndex(([line, text], nth) => !left.takes([`${line}: ${text}`]) && nth > 0);
  const shown = end === -1 ? numbered : numbered.slice(0, end);
  return {
    data: shown.map(([line, text]) => `${line}: ${text}\n`).join(""),
    bytes: bytes.length,
    last: shown.length < found.total ? shown.at(-1)?.[0] : undefined,
    hits: found.total,
    shown_hits: shown.length,
    ...(note === undefined ? {} : { note }),
  };
}

/** More than an answer holds. */
const MAX_KEPT_BYTES = 1024 * 1024;
