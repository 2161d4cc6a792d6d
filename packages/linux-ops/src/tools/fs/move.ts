import type { Transferred } from "@llmc/te-fs";
import { z } from "zod";
import { changeOptions } from "../../context/change-options.js";
import { CHANGED_MEANWHILE } from "../../answer/notes.js";
import { undoFields } from "../../answer/undo-field.js";
import { defineTool } from "../../context/context.js";
import { path, sha256 } from "../../context/fields.js";

export const fsMove = defineTool({
  name: "linux.fs_move",
  description: "Move or copy a file or folder; onto a folder means into it.",
  toolset: "fs",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    source: path,
    target: path,
    overwrite: z.boolean().default(false),
    copy: z.boolean().default(false),
    create_parents: z.boolean().default(false),
    expected_sha256: sha256.nullish().describe("Of the file that is replaced."),
  }),
  unlisted: ["create_parents", "expected_sha256"],
  output: z.strictObject({
    ok: z.literal(true),
    source: z.string(),
    target: z.string().describe("Where it is now."),
    replaced: z.literal(true).optional(),
    copied: z
      .strictObject({ entries: z.int(), bytes: z.int() })
      .optional()
      .describe("Where a copy was asked for, or needed to get to another file system."),
    left: z.literal(true).optional().describe("Something changed while it was copied and is still at the source."),
    ...undoFields,
    note: z.string().optional(),
  }),
  logs: { args: ["source", "target", "copy", "overwrite"], result: ["source", "target", "undo.id"] },

  async handler({ source, target, overwrite, copy, create_parents, expected_sha256 }, context) {
    const { files } = context;
    const options = {
      ...changeOptions(context),
      overwrite,
      createParents: create_parents,
      expectedSha256: expected_sha256,
    };
    const done = copy ? await files.copy(source, target, options) : await files.move(source, target, options);
    return { ok: true as const, source: done.source, target: done.target, ...notable(done) };
  },
});

/** Only what is not as usual. */
function notable({ replaced, copied, left, wasChanged, undo, undo_reason }: Transferred) {
  return {
    ...(replaced ? { replaced: true as const } : {}),
    ...(copied === undefined ? {} : { copied }),
    ...(left ? { left: true as const } : {}),
    undo,
    ...(undo_reason === undefined ? {} : { undo_reason }),
    ...(wasChanged ? { note: CHANGED_MEANWHILE } : {}),
  };
}
