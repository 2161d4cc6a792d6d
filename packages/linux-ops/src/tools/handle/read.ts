import { z } from "zod";
import { defineTool } from "../../context.js";
import { handleId } from "../../fields.js";
import { textOrBase64 } from "../../read/whole-characters.js";

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

  async handler({ handle, offset, limit }, { handles, session }) {
    const store = await handles();
    const slice = await store.readSlice(session.owner, handle, offset, limit + LONGEST_REST);
    const { data, encoding, bytes } = textOrBase64(slice.data, limit);
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
