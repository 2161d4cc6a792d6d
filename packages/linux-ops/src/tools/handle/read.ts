import { HandleNotFoundError, OpsError } from "@llmc/errors";
import type { Handle } from "@llmc/handles";
import { z } from "zod";
import { defineTool, type LinuxOpsContext } from "../../context/context.js";
import { handleId } from "../../context/fields.js";
import { DEFAULT_BASE64_BYTES, DEFAULT_BUDGET } from "../../answer/budget.js";
import { estimateTokens } from "@llmc/toolkit";
import { textOrBase64, type Slice } from "./whole-characters.js";

/** The form in which the same handle is a resource. */
const URI = /^linuxops:\/\/handle\//;

/** The longest UTF-8 character but one byte: what a slice may need beside its limit to end between characters. */
const LONGEST_REST = 3;

export const handleRead = defineTool({
  name: "linux.handle_read",
  description: "Read bytes behind a handle.",
  toolset: "handles",
  features: [],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    handle: handleId,
    offset: z.int().min(0).default(0),
    limit: z.int().min(1).max(1_048_576).default(16_384),
  }),
  output: z.strictObject({
    data: z.string(),
    encoding: z.enum(["utf8", "base64"]),
    offset: z.int(),
    bytes: z.int(),
    next_offset: z.int().nullable(),
    total_bytes: z.int(),
    type: z.string(),
    meta: z.looseObject({ kind: z.string() }),
  }),
  logs: { args: ["handle", "offset", "limit"], result: ["bytes", "total_bytes"] },

  async handler({ handle, offset, limit }, context) {
    const store = await context.handles();
    const id = handle.replace(URI, "");
    const slice = await store.readSlice(context.session.owner, id, offset, limit + LONGEST_REST);
    await demandReachable(slice.handle, context);
    const whole = textOrBase64(slice.data, limit);
    const { data, encoding, bytes } = context.given.has("limit") ? whole : affordable(slice.data, whole);
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
  },

  render({ data, encoding, offset, bytes, next_offset, total_bytes }, { handle }) {
    const next = next_offset === null ? "" : ` · next: offset=${next_offset}`;
    const base64 = encoding === "base64" ? ", base64" : "";
    return `[${handle} · bytes ${offset}-${offset + bytes} of ${total_bytes}${base64}${next}]\n${data}`;
  },
});

/** Over stdio a handle outlives its server; the next one may have narrower roots, and what is outside them is shut. */
async function demandReachable({ id, meta }: Handle, { files, signal }: LinuxOpsContext): Promise<void> {
  const { path } = meta;
  if (typeof path !== "string") return;
  await files.exists(path, { signal }).catch((thrown: unknown) => {
    throw OpsError.from(thrown).code === "INVALID_PATH" ? new HandleNotFoundError(id) : thrown;
  });
}

/** A caller who named no limit is not given more than an answer may cost: bytes are no measure for hex or base64. */
function affordable(source: Buffer, slice: Slice): Slice {
  if (slice.encoding === "base64") return textOrBase64(source, Math.min(slice.bytes, DEFAULT_BASE64_BYTES));
  const tokens = estimateTokens(slice.data);
  if (tokens <= DEFAULT_BUDGET.tokens) return slice;
  return textOrBase64(source, Math.floor((slice.bytes * DEFAULT_BUDGET.tokens) / tokens));
}
