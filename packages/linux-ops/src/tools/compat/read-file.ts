import { sessionKey } from "@llmc/toolkit";
import { z } from "zod";
import { defineTool } from "../../context/context.js";
import { path } from "../../context/fields.js";
import { DEFAULT_BUDGET } from "../../answer/budget.js";
import { shownHandle } from "../../answer/handle.js";
import { header } from "../../answer/header.js";
import { readPlain } from "../fs/reading/plain.js";

export const readFile = defineTool({
  name: "read_file",
  description: "Read a text file; linux.fs_read can do more.",
  toolset: "compat",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    path,
    max_bytes: z.int().min(1).max(1_048_576).default(DEFAULT_BUDGET.bytes),
  }),
  output: z.strictObject({
    data: z.string(),
    meta: z.strictObject({
      path: z.string(),
      length: z.int().describe("Bytes of data."),
      truncated: z.literal(true).optional(),
      total_lines: z.int().optional(),
      handle: z.string().nullable().optional().describe("The whole file, when truncated."),
    }),
  }),
  logs: { args: ["path"], result: ["meta.path", "meta.length"] },
  enveloped: true,

  async handler(args, context) {
    const { files, lineIndex, signal } = context;
    await using file = await files.read(args.path, { session: sessionKey(context), lineIndex, signal });
    const { content, handle, meta } = await readPlain(file, args.max_bytes, context);
    return {
      data: content,
      meta: {
        path: meta.path,
        length: Buffer.byteLength(content),
        ...(meta.truncated ? { truncated: true as const, total_lines: meta.total_lines, handle } : {}),
      },
    };
  },

  render({ data, meta: { path, length, truncated, handle } }) {
    const notes = [`${length} bytes`];
    if (truncated)
      notes.push("cut", typeof handle === "string" ? `all: ${shownHandle(handle)}` : "more: linux_fs_read");
    return `${header(path, notes)}\n${data}`;
  },
});
