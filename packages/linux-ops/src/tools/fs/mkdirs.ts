import { z } from "zod";
import { changeOptions } from "../../context/change-options.js";
import { header } from "../../answer/header.js";
import { undoFields, undoNotes } from "../../answer/undo-field.js";
import { defineTool } from "../../context/context.js";
import { path } from "../../context/fields.js";

export const fsMkdirs = defineTool({
  name: "linux.fs_mkdirs",
  description: "Create a folder and its missing parents.",
  toolset: "fs",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ path, exist_ok: z.boolean().default(true) }),
  unlisted: ["exist_ok"],
  output: z.strictObject({
    ok: z.literal(true),
    path: z.string(),
    created: z.array(z.string()).describe("Outermost first; empty when all were there."),
    ...undoFields,
  }),
  logs: { args: ["path"], result: ["created", "undo.id"] },

  async handler({ path, exist_ok }, context) {
    const made = await context.files.makeFolders(path, { ...changeOptions(context), existOk: exist_ok });
    return { ok: true as const, ...made, created: [...made.created] };
  },

  render(result, { path }) {
    const { length } = result.created;
    if (length === 0) return header(path, ["was there"]);
    return header(length === 1 ? "1 new folder" : `${length} new folders`, undoNotes(result));
  },
});
