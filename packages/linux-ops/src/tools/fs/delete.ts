import { InvalidArgumentError } from "@llmc/errors";
import type { RemovedPath } from "@llmc/te-fs";
import { z } from "zod";
import { changeOptions } from "../../context/change-options.js";
import { CHANGED_MEANWHILE } from "../../answer/notes.js";
import { header } from "../../answer/header.js";
import { counted } from "../../answer/line.js";
import { undoFields, undoNotes } from "../../answer/undo-field.js";
import { defineTool } from "../../context/context.js";
import { path, sha256 } from "../../context/fields.js";
import { renderDryRun } from "./removing/render-dry-run.js";

const MOST_PATHS = 500;

const gone = z.strictObject({
  path: z.string(),
  removed: z.int().describe("Files, links and folders that are gone."),
  would_remove: z
    .strictObject({
      entries: z.int(),
      bytes: z.int().describe("Bytes used on the disk."),
      names: z.array(z.string()).describe("The first of them, below path."),
      folders: z
        .array(z.strictObject({ name: z.string(), entries: z.int() }))
        .optional()
        .describe("Folders among the names that lie directly in path, with how much each holds."),
    })
    .optional()
    .describe("Of a dry run."),
  note: z.string().optional(),
});

type Gone = z.output<typeof gone>;

/** Names that a dry run lists; the count is of all. */
const LISTED = 100;

export const fsDelete = defineTool({
  name: "linux.fs_delete",
  description: "Delete files, links or, with recursive, folders.",
  toolset: "fs",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    path: path.optional(),
    paths: z.array(path).min(1).max(MOST_PATHS).optional().describe("Several, all or none."),
    recursive: z.boolean().default(false),
    dry_run: z.boolean().default(false).describe("Only say what would go."),
    secure: z.boolean().default(false).describe("Keep nothing for undo."),
    expected_sha256: sha256.nullish(),
  }),
  unlisted: ["dry_run", "secure", "expected_sha256"],
  output: z.strictObject({
    ok: z.literal(true),
    ...gone.shape,
    paths: z.array(gone).optional().describe("Each of several; the fields beside it are those of the first."),
    ...undoFields,
  }),
  logs: { args: ["path", "recursive", "dry_run", "secure"], result: ["path", "removed", "undo.id"] },

  async handler({ path, paths, recursive, dry_run, secure, expected_sha256 }, context) {
    if ((path === undefined) === (paths === undefined)) {
      throw new InvalidArgumentError("linux.fs_delete: pass path, or paths for several.");
    }
    const done = await context.files.removeAll(paths ?? [path as string], {
      ...changeOptions(context),
      recursive,
      dryRun: dry_run,
      maxListed: LISTED,
      secure,
      expectedSha256: expected_sha256,
    });
    const all = done.paths.map(toGone);
    const { undo, undo_reason } = done;
    return {
      ok: true as const,
      ...(all[0] as Gone),
      ...(paths === undefined ? {} : { paths: all }),
      ...(dry_run ? {} : { undo }),
      ...(undo_reason === undefined || dry_run ? {} : { undo_reason }),
    };
  },

  render(result, args) {
    const { paths = [result] } = result;
    const given = args.paths ?? [args.path ?? result.path];
    const lines = paths.map((each, at) => {
      const shown = given[at] ?? each.path;
      if (each.would_remove !== undefined) return renderDryRun(shown, each.would_remove);
      return header(shown, [...notesOf(each), ...(at === 0 ? undoNotes(result) : [])]);
    });
    return lines.join("\n");
  },
});

function notesOf({ removed, note }: Gone): string[] {
  return [removed === 1 ? "deleted" : `deleted, ${counted(removed)}`, ...(note === undefined ? [] : [note])];
}

function toGone({ path, removed, would, wasChanged }: RemovedPath): Gone {
  return {
    path,
    removed,
    ...(would === undefined
      ? {}
      : { would_remove: { ...would, names: [...would.names], folders: [...would.folders] } }),
    ...(wasChanged ? { note: CHANGED_MEANWHILE } : {}),
  };
}
