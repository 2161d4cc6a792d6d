import { z } from "zod";
import { changeOptions } from "../../context/change-options.js";
import { CHANGED_MEANWHILE } from "../../answer/notes.js";
import { undoFields } from "../../answer/undo-field.js";
import { defineTool } from "../../context/context.js";
import { path, sha256 } from "../../context/fields.js";
import { renderDryRun } from "./removing/render-dry-run.js";

/** Names that a dry run lists; the count is of all. */
const LISTED = 100;

export const fsDelete = defineTool({
  name: "linux.fs_delete",
  description: "Delete a file, a link or, with recursive, a folder.",
  toolset: "fs",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    path,
    recursive: z.boolean().default(false),
    dry_run: z.boolean().default(false).describe("Only say what would go."),
    secure: z.boolean().default(false).describe("Keep nothing for undo."),
    expected_sha256: sha256.nullish(),
  }),
  unlisted: ["dry_run", "secure", "expected_sha256"],
  output: z.strictObject({
    ok: z.literal(true),
    path: z.string(),
    removed: z.int().describe("Files, links and folders that are gone."),
    would_remove: z
      .strictObject({
        entries: z.int(),
        bytes: z.int().describe("The room that it takes on the disk."),
        names: z.array(z.string()).describe("The first of them, below path."),
        folders: z
          .array(z.strictObject({ name: z.string(), entries: z.int() }))
          .optional()
          .describe("Folders among the names that lie directly in path, with how much each holds."),
      })
      .optional()
      .describe("Of a dry run."),
    ...undoFields,
    note: z.string().optional(),
  }),
  logs: { args: ["path", "recursive", "dry_run", "secure"], result: ["path", "removed", "undo.id"] },

  async handler({ path, recursive, dry_run, secure, expected_sha256 }, context) {
    const done = await context.files.remove(path, {
      ...changeOptions(context),
      recursive,
      dryRun: dry_run,
      maxListed: LISTED,
      secure,
      expectedSha256: expected_sha256,
    });
    const { would, undo, undo_reason } = done;
    const fate =
      would === undefined
        ? { undo }
        : { would_remove: { ...would, names: [...would.names], folders: [...would.folders] } };
    return {
      ok: true as const,
      path: done.path,
      removed: done.removed,
      ...fate,
      ...(undo_reason === undefined || would !== undefined ? {} : { undo_reason }),
      ...(done.wasChanged ? { note: CHANGED_MEANWHILE } : {}),
    };
  },

  render: (result) =>
    result.would_remove === undefined ? JSON.stringify(result) : renderDryRun(result.path, result.would_remove),
});
