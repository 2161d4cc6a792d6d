import { sessionKey } from "@llmc/toolkit";
import { z } from "zod";
import { undoFields } from "../../answer/undo-field.js";
import { defineTool } from "../../context/context.js";

export const fsUndo = defineTool({
  name: "linux.fs_undo",
  description: "Take back the last change of files, or the one with this id.",
  toolset: "fs",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({ id: z.string().min(1).max(200).optional() }),
  output: z.strictObject({
    id: z.string(),
    undone: z.array(z.strictObject({ path: z.string(), how: z.string() })),
    skipped: z
      .array(z.strictObject({ path: z.string(), why: z.string() }))
      .describe("Of which there was nothing to take back."),
    ...undoFields,
  }),
  logs: { args: ["id"], result: ["id", "undo.id"] },

  async handler({ id }, context) {
    const { session, signal } = context;
    const options = { owner: session.owner, session: sessionKey(context), signal };
    const done = await context.files.undo(id, options);
    return {
      id: done.id,
      undone: [...done.undone],
      skipped: [...done.skipped],
      undo: done.undo,
      ...(done.undo_reason === undefined ? {} : { undo_reason: done.undo_reason }),
    };
  },
});
