import { OpsError } from "@llmc/errors";
import { sessionKey } from "@llmc/toolkit";
import { z } from "zod";
import { defineTool, type LinuxOpsContext } from "../../context/context.js";
import { path } from "../../context/fields.js";
import { DEFAULT_BUDGET, LARGEST_BUDGET } from "../../answer/budget.js";
import type { Reading } from "../fs/reading/reading.js";
import { shownHandle } from "../../answer/handle.js";
import { header } from "../../answer/header.js";
import { readText } from "../fs/reading/text.js";

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
    const { content, handle, meta } = await read(args.path, args.max_bytes, context);
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
      notes.push("cut", typeof handle === "string" ? `all: ${shownHandle(handle)}` : "more: linux.fs_read");
    return `${header(path, notes)}\n${data}`;
  },
});

async function read(path: string, maxBytes: number, context: LinuxOpsContext): Promise<Reading> {
  const { files, lineIndex, signal } = context;
  await using file = await files.read(path, { session: sessionKey(context), lineIndex, signal });
  const budget = { ...(context.given.has("max_bytes") ? LARGEST_BUDGET : DEFAULT_BUDGET), bytes: maxBytes };
  const wanted = { offsetLines: 0, maxLines: maxBytes, tailLines: undefined, pages: undefined, budget };
  return await readText(file, wanted, context).catch((thrown: unknown) => {
    throw otherHint(thrown);
  });
}

/** The way to what is no text is another tool's. */
function otherHint(thrown: unknown): unknown {
  if (!OpsError.is(thrown) || thrown.code !== "UNSUPPORTED_CONTENT") return thrown;
  return new OpsError(thrown.code, thrown.message, { hint: "linux.fs_read reads images and PDFs." });
}
