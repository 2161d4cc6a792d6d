import type { AppliedFile } from "@llmc/te-fs";
import { z } from "zod";
import { changeOptions } from "../../context/change-options.js";
import { CHANGED_MEANWHILE, keptNote } from "../../answer/notes.js";
import { undoFields } from "../../answer/undo-field.js";
import { defineTool } from "../../context/context.js";
import { renderDiff } from "../../answer/render-diff.js";
import { path } from "../../context/fields.js";

export const fsApplyDiff = defineTool({
  name: "linux.fs_apply_diff",
  description: "Apply a unified, git or *** Begin Patch diff, all or nothing.",
  toolset: "patch",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    diff_text: z
      .string()
      .min(1)
      .max(8 * 1024 * 1024),
    cwd: path.optional(),
    backup: z.boolean().default(false).describe("Leave .bak copies of what was there."),
    dry_run: z.boolean().default(false),
  }),
  unlisted: ["backup", "dry_run"],
  output: z.strictObject({
    files_modified: z.array(z.string()),
    backups_created: z.boolean(),
    message: z.string(),
    files: z
      .array(
        z.strictObject({
          path: z.string(),
          change: z.enum(["modify", "create", "delete", "rename", "copy"]),
          from: z.string().optional(),
          notes: z.array(z.string()).optional().describe("What was not to the letter."),
        }),
      )
      .describe("What was done to each."),
    notes: z.array(z.string()).optional().describe("Parts that were there already."),
    backups: z.array(z.string()).optional(),
    dry_run: z.literal(true).optional(),
    ...undoFields,
  }),
  logs: { args: ["cwd", "dry_run"], result: ["files_modified", "backups_created", "undo.id"] },

  async handler({ diff_text, cwd, backup, dry_run }, context) {
    const { files, backups, notes, undo, undo_reason } = await context.files.applyDiff(diff_text, {
      ...changeOptions(context),
      cwd,
      maxBytes: context.mcp.linux_ops.fs.max_patch_bytes,
      backup,
      dryRun: dry_run,
    });
    const count = `${files.length} ${files.length === 1 ? "file" : "files"}`;
    return {
      files_modified: files.map((file) => file.path),
      backups_created: backups.length > 0,
      message: dry_run ? `The diff fits ${count}; nothing was changed` : `Applied diff to ${count}`,
      files: files.map(reportOf),
      ...(notes.length === 0 ? {} : { notes: [...notes] }),
      ...(backups.length === 0 ? {} : { backups: [...backups] }),
      ...(dry_run ? { dry_run: true as const } : { undo }),
      ...(undo_reason === undefined ? {} : { undo_reason }),
    };
  },

  render: renderDiff,
});

function reportOf(file: AppliedFile) {
  const notes = [...file.notes, ...keptNote(file.encoding), ...(file.wasChanged ? [CHANGED_MEANWHILE] : [])];
  return {
    path: file.path,
    change: file.kind,
    ...(file.from === null ? {} : { from: file.from }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}
