import { z } from "zod";
import { sessionKey } from "@llmc/toolkit";
import { demandInside } from "./inside.js";
import { defineTool } from "../../context/context.js";
import { path } from "../../context/fields.js";
import { DEFAULT_BUDGET } from "../../answer/budget.js";
import { readPlain } from "../fs/reading/plain.js";
import { shownHandle } from "../../answer/handle.js";
import { header } from "../../answer/header.js";

export const repoRead = defineTool({
  name: "repo_read",
  description: "Read a text file of a repository.",
  toolset: "compat",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    root: path,
    path,
    max_bytes: z.int().min(1).max(1_048_576).default(DEFAULT_BUDGET.bytes),
  }),
  output: z.strictObject({
    content: z.string(),
    handle: z.string().nullable().describe("The whole file, when truncated."),
    meta: z.strictObject({ path: z.string(), total_lines: z.int(), truncated: z.boolean() }),
  }),
  logs: { args: ["root", "path"], result: ["meta.path", "meta.total_lines"] },

  async handler(args, context) {
    const { files, lineIndex, signal } = context;
    await using file = await files.read(args.path, { session: sessionKey(context), lineIndex, cwd: args.root, signal });
    // Both where it was asked for and where it lies: a link must not lead out of the repository either.
    const repository = await files.stat(args.root, { signal });
    demandInside(repository.path, [file.path]);
    demandInside(repository.real, [file.real]);
    const { content, handle, meta } = await readPlain(file, args.max_bytes, context);
    return { content, handle, meta: { path: meta.path, total_lines: meta.total_lines, truncated: meta.truncated } };
  },

  render({ content, handle, meta: { path, total_lines, truncated } }) {
    const notes = [`${total_lines} ${total_lines === 1 ? "line" : "lines"}`];
    if (truncated) notes.push(handle === null ? "cut, more: linux_fs_read" : `cut, all: ${shownHandle(handle)}`);
    return `${header(path, notes)}\n${content}`;
  },
});
