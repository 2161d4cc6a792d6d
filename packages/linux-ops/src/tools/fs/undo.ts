import { sessionKey } from "@llmc/toolkit";
import { z } from "zod";
import { undoFields, undoNotes } from "../../answer/undo-field.js";
import { header, onOneLine } from "../../answer/header.js";
import { defineTool } from "../../context/context.js";

/** Paths named one by one. */
const SHOWN = 10;

export const fsUndo = defineTool({
  name: "linux.fs_undo",
  description: "Undo the last file change, or the one with this id.",
  toolset: "fs",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({ id: z.string().min(1).max(200).optional() }),
  output: z.strictObject({
    id: z.string(),
    undone: z.array(z.strictObject({ path: z.string(), how: z.string() })),
    skipped: z
      .array(z.strictObject({ path: z.string(), why: z.string() }))
      .describe("Paths that the change had left as they were."),
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

  render(result) {
    const done = result.undone.slice(0, SHOWN).map(({ path, how }) => `${onOneLine(path)} ${how}`);
    if (result.undone.length > SHOWN) done.push(`${result.undone.length - SHOWN} more`);
    const skipped = result.skipped
      .slice(0, SHOWN)
      .map(({ path, why }) => `${onOneLine(path)}: nothing to undo, ${why}`);
    const [first = "nothing to undo", ...others] = [...done, ...skipped];
    return [header(first, undoNotes(result)), ...others].join("\n");
  },
});
