import { InvalidArgumentError } from "@llmc/errors";
import { z } from "zod";
import { changeOptions } from "../../context/change-options.js";
import { demandInside } from "./inside.js";
import { header, onOneLine } from "../../answer/header.js";
import { CHANGED_MEANWHILE, keptNote } from "../../answer/notes.js";
import { undoFields, undoNotes } from "../../answer/undo-field.js";
import { defineTool, type LinuxOpsContext } from "../../context/context.js";
import { path } from "../../context/fields.js";

const text = z.string().max(16 * 1024 * 1024);

const input = z.strictObject({
  root: path,
  diff: z
    .string()
    .min(1)
    .max(8 * 1024 * 1024)
    .optional(),
  path: path.optional(),
  edits: z
    .array(
      z.strictObject({
        old_text: text,
        new_text: text,
        expected_replacements: z.int().min(1).max(1_000_000).default(1),
      }),
    )
    .min(1)
    .max(500)
    .optional(),
});

type Args = z.output<typeof input>;
type Patch = { readonly diff: string } | { readonly path: string; readonly edits: NonNullable<Args["edits"]> };

export const repoWritePatch = defineTool({
  name: "repo_write_patch",
  description: "Change files of a repository by a diff, or one file by edits.",
  toolset: "compat",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input,
  output: z.strictObject({
    ok: z.literal(true),
    files_modified: z.array(z.string()),
    message: z.string(),
    ...undoFields,
    note: z.string().optional(),
  }),
  logs: { args: ["root", "path"], result: ["files_modified", "undo.id"] },

  async handler(args, context) {
    const patch = patchOf(args);
    const { path: root } = await context.files.stat(args.root, { signal: context.signal });
    const options = { ...changeOptions(context), cwd: root, maxBytes: context.mcp.linux_ops.fs.max_patch_bytes };
    const done = "diff" in patch ? await byDiff(patch.diff, options, context) : await byEdits(patch, options, context);
    const { files, changed, notes: known, undo, undo_reason } = done;
    const notes = [...known, ...(changed.length === 0 ? [] : [noteOn(changed, files)])];
    const message = `Patched ${files.length} ${files.length === 1 ? "file" : "files"}`;
    return {
      ok: true as const,
      files_modified: files,
      message,
      undo,
      ...(undo_reason === undefined ? {} : { undo_reason }),
      ...(notes.length === 0 ? {} : { note: notes.join("; ") }),
    };
  },

  render({ files_modified: { length: count }, note, ...result }, { root }) {
    const patched = `${count} ${count === 1 ? "file" : "files"} patched`;
    return header(root, [patched, ...(note === undefined ? [] : [onOneLine(note)]), ...undoNotes(result)]);
  },
});

type Options = Parameters<LinuxOpsContext["files"]["applyDiff"]>[1] & { readonly cwd: string };

/** Looked at first: a path that leads out of the repository must not have changed anything. */
async function byDiff(diff: string, options: Options, { files }: LinuxOpsContext) {
  const dry = await files.applyDiff(diff, { ...options, dryRun: true });
  demandInside(
    options.cwd,
    dry.files.flatMap(({ path, from }) => (from === null ? [path] : [path, from])),
  );
  const done = await files.applyDiff(diff, options);
  const pathsOf = (some: typeof done.files): string[] => some.map((file) => file.path);
  const kept = done.files.flatMap((file) => keptNote(file.encoding).map((note) => `${file.path}: ${note}`));
  const changed = pathsOf(done.files.filter((file) => file.wasChanged));
  return { ...done, files: pathsOf(done.files), notes: [...done.notes, ...kept], changed };
}

async function byEdits(
  { path, edits }: Extract<Patch, { edits: unknown }>,
  options: Options,
  { files }: LinuxOpsContext,
) {
  const { path: found } = await files.stat(path, {
    cwd: options.cwd,
    ...(options.signal && { signal: options.signal }),
  });
  demandInside(options.cwd, [found]);
  const blocks = edits.map((edit) => ({
    oldText: edit.old_text,
    newText: edit.new_text,
    expected: edit.expected_replacements,
  }));
  const done = await files.patch(path, { ...options, edits: blocks });
  const made = done.edits.flatMap(({ replacements }, nth) =>
    replacements === 0 ? [`edits[${nth}] was there already`] : [],
  );
  const notes = [...made, ...keptNote(done.encoding)];
  return { ...done, files: [done.path], notes, changed: done.wasChanged ? [done.path] : [] };
}

function noteOn(changed: readonly string[], files: readonly string[]): string {
  return files.length === 1 ? CHANGED_MEANWHILE : `${changed.join(", ")}: ${CHANGED_MEANWHILE}`;
}

function patchOf({ diff, path, edits }: Args): Patch {
  if (diff !== undefined && path === undefined && edits === undefined) return { diff };
  if (diff === undefined && path !== undefined && edits !== undefined) return { path, edits };
  throw new InvalidArgumentError(
    "repo_write_patch: diff is needed, or path and edits instead of it",
    "Pass diff for several files.",
  );
}
