import { InvalidArgumentError } from "@llmc/errors";
import { estimateTokens } from "@llmc/toolkit";
import { z } from "zod";
import { DEFAULT_BASE64_BYTES, DEFAULT_BUDGET } from "../../answer/budget.js";
import { demandReachable } from "@llmc/commands";
import { handleIdIn, shownHandle } from "../../answer/handle.js";
import { header } from "../../answer/header.js";
import { grouped } from "../../answer/line.js";
import { defineTool, type LinuxOpsContext } from "../../context/context.js";
import { handleId } from "../../context/fields.js";
import { textOrBase64, type Slice } from "./whole-characters.js";

/** The longest UTF-8 character but one byte: what a slice may need beside its limit to end between characters. */
const LONGEST_REST = 3;
const DEFAULT_LIMIT = 16_384;

const input = z.strictObject({
  handle: handleId,
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(1_048_576).default(DEFAULT_LIMIT),
  lines: z.string().min(1).max(40).optional(),
  match: z.string().min(1).max(10_000).optional(),
  around: z.int().min(0).max(50).default(0).describe("Lines around each match."),
  test: z.string().min(1).max(10_000).optional().describe("Name of a failing test: the lines about it."),
  file: z.string().min(1).max(16_384).optional().describe("A path: its part of a diff, or the lines that name it."),
});

const output = z.strictObject({
  data: z.string().describe("With match the lines that match, each with its number."),
  encoding: z.enum(["utf8", "base64"]),
  offset: z.int(),
  bytes: z.int(),
  next_offset: z.int().nullable(),
  total_bytes: z.int(),
  type: z.string(),
  meta: z.looseObject({ kind: z.string() }),
  total_lines: z.int().optional().describe("With lines or match, as all that follows."),
  first_line: z.int().optional(),
  last_line: z.int().optional().describe("Up to it all is told."),
  next_lines: z.string().optional().describe("The lines to ask for next."),
  hits: z.int().optional(),
  shown_hits: z.int().optional(),
  note: z.string().optional().describe("What was done otherwise than asked for."),
});

type Args = z.output<typeof input>;
type Result = z.output<typeof output>;

export const handleRead = defineTool({
  name: "linux.handle_read",
  description: 'Read behind a handle: lines ("10-20", "-9": the last), those that match a regex, or bytes.',
  toolset: "handles",
  features: [],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  output,
  unlisted: ["around", "test", "file"],
  logs: { args: ["handle", "offset", "limit", "lines"], result: ["bytes", "total_bytes"] },

  async handler(args, context) {
    const id = handleIdIn(args.handle);
    if ([args.lines, args.match, args.test, args.file].every((each) => each === undefined))
      return await readBytes(id, args, context);
    checkLines(args);
    // Imports read-lines late, because it loads the search engines, which few sessions need.
    const { readLines } = await import("./read-lines.js");
    return await readLines(id, args, context);
  },

  render(result, { handle }) {
    const notes = result.total_lines === undefined ? byteNotes(result) : lineNotes(result, result.total_lines);
    const note = result.note === undefined ? "" : `${result.note}\n`;
    return `${header(shownHandle(handleIdIn(handle)), notes)}\n${note}${result.data}`;
  },
});

async function readBytes(id: string, { offset, limit }: Args, context: LinuxOpsContext): Promise<Result> {
  const store = await context.handles();
  const slice = await store.readSlice(context.session.owner, id, offset, limit + LONGEST_REST);
  await demandReachable(slice.handle, context);
  const whole = textOrBase64(slice.data, limit);
  const { data, encoding, bytes } = limit > DEFAULT_LIMIT ? whole : affordable(slice.data, whole);
  const end = offset + bytes;
  return {
    data,
    encoding,
    offset,
    bytes,
    next_offset: end < slice.totalBytes ? end : null,
    total_bytes: slice.totalBytes,
    type: slice.handle.type,
    meta: slice.handle.meta,
  };
}

/** Ignores defaults, because some clients fill them in. */
function checkLines({ offset, limit, lines }: Args): void {
  const name = offset !== 0 ? "offset" : limit !== DEFAULT_LIMIT ? "limit" : undefined;
  if (name === undefined) return;
  const other = lines === undefined ? "match, test and file" : "lines";
  throw new InvalidArgumentError(`${name} counts bytes and does not go with ${other}`, `Leave out ${name}.`);
}

function byteNotes({ encoding, offset, bytes, next_offset, total_bytes }: Result): string[] {
  const base64 = encoding === "base64" ? ", base64" : "";
  const next = next_offset === null ? [] : [`next: offset=${next_offset}`];
  if (offset > 0 && offset >= total_bytes) return [`${total_bytes} bytes; offset ${offset} is past the end`];
  return [`bytes ${offset}-${offset + bytes} of ${total_bytes}${base64}`, ...next];
}

function lineNotes({ first_line = 1, last_line = 0, next_lines, hits, shown_hits }: Result, total: number): string[] {
  const all = `${grouped(total)} ${total === 1 ? "line" : "lines"}`;
  const end = Number(next_lines?.split("-")[1] ?? last_line);
  const range = first_line === 1 && end === total ? all : `lines ${first_line}-${end} of ${all}`;
  if (hits === undefined) {
    const left = end - last_line;
    const rest = next_lines === undefined ? [] : [`${grouped(left)} more: lines="${next_lines}"`];
    return [total === 0 ? all : `lines ${first_line}-${last_line} of ${all}`, ...rest];
  }
  if (hits === 0) return [`no hits in ${range}`];
  const found = `${grouped(hits)} ${hits === 1 ? "hit" : "hits"} in ${range}`;
  if (next_lines === undefined) return [found];
  return [
    `${grouped(shown_hits ?? 0)} of ${found}`,
    `${grouped(hits - (shown_hits ?? 0))} more: lines="${next_lines}"`,
  ];
}

/** Bounds hex and base64 by tokens, unless the caller asked for more bytes than the default. */
function affordable(source: Buffer, slice: Slice): Slice {
  if (slice.encoding === "base64") return textOrBase64(source, Math.min(slice.bytes, DEFAULT_BASE64_BYTES));
  const tokens = estimateTokens(slice.data);
  if (tokens <= DEFAULT_BUDGET.tokens) return slice;
  return textOrBase64(source, Math.floor((slice.bytes * DEFAULT_BUDGET.tokens) / tokens));
}
