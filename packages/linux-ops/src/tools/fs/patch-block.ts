import { InvalidArgumentError } from "@llmc/errors";
import type { PatchedFile } from "@llmc/te-fs";
import { z } from "zod";
import { changeOptions } from "../../context/change-options.js";
import { undoFields } from "../../answer/undo-field.js";
import { CHANGED_MEANWHILE } from "../../answer/notes.js";
import { defineTool } from "../../context/context.js";
import { path } from "../../context/fields.js";
import { header } from "../../answer/header.js";

const text = z.string().max(16 * 1024 * 1024);
const count = z.int().min(1).max(1_000_000).default(1);
const flag = z.boolean().default(false);

const input = z.strictObject({
  path,
  old_text: text.optional(),
  new_text: text.optional(),
  expected_replacements: count,
  edits: z
    .array(z.strictObject({ old_text: text, new_text: text, expected_replacements: count }))
    .min(1)
    .max(500)
    .optional()
    .describe("Several, all or nothing."),
  normalize: z
    .union([z.boolean(), z.strictObject({ trailing_whitespace: flag, line_endings: flag, indentation: flag })])
    .default(false)
    .describe("Forgive whitespace where old_text is not there to the letter."),
  dry_run: z.boolean().default(false).describe("Change nothing."),
});

type Args = z.output<typeof input>;

interface Lines {
  readonly lines: readonly number[];
}

/** The payload names them all; the snippet shows the first place. */
const MOST_LINES = 10;

export const fsPatchBlock = defineTool({
  name: "linux.fs_patch_block",
  description: "Replace exact text in a file.",
  toolset: "patch",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input,
  // The listed `edits` shows expected_replacements, and the error of a miss names it.
  unlisted: ["expected_replacements", "normalize", "dry_run"],
  output: z.strictObject({
    path: z.string(),
    replacements_made: z.int(),
    before_snippet: z.string().describe("The first place, with the lines around it."),
    after_snippet: z.string(),
    lines: z.array(z.int()).describe("Where the first replacements begin now."),
    edits: z
      .array(
        z.strictObject({
          replacements: z.int(),
          lines: z.array(z.int()),
          normalized: z
            .array(z.strictObject({ kind: z.string(), lines: z.array(z.int()), count: z.int() }))
            .optional()
            .describe("What normalize forgave, and in which lines."),
          note: z.string().optional(),
        }),
      )
      .optional()
      .describe("With several edits, or where normalize was needed."),
    dry_run: z.literal(true).optional(),
    atomic: z.literal(false).optional(),
    link_broken: z.literal(true).optional(),
    ...undoFields,
    note: z.string().optional(),
  }),
  logs: { args: ["path", "dry_run"], result: ["path", "replacements_made", "undo.id"] },

  async handler(args, context) {
    const patched = await context.files.patch(args.path, {
      ...changeOptions(context),
      edits: editsOf(args),
      normalize: normalizeOf(args),
      maxBytes: context.mcp.linux_ops.fs.max_patch_bytes,
      dryRun: args.dry_run,
    });
    return {
      path: patched.path,
      replacements_made: patched.replacementsMade,
      before_snippet: patched.beforeSnippet,
      after_snippet: patched.afterSnippet,
      lines: [...(patched.edits[0]?.lines ?? [])],
      ...details(patched),
      ...notable(patched, args.dry_run),
    };
  },

  render(result) {
    const { path, replacements_made: made, before_snippet: before, after_snippet: after, undo } = result;
    const places = `${made} ${made === 1 ? "replacement" : "replacements"}, ${linesOf(result)}`;
    const notes = [result.dry_run === true ? `dry run, nothing changed: ${places}` : places];
    for (const { kind, count } of result.edits?.flatMap((edit) => edit.normalized ?? []) ?? [])
      notes.push(`forgiven: ${kind} in ${count} ${count === 1 ? "line" : "lines"}`);
    for (const note of [...(result.edits?.map((edit) => edit.note) ?? []), result.note]) if (note) notes.push(note);
    if (result.atomic === false) notes.push("written in place");
    if (result.link_broken === true) notes.push("its other hard links keep the old text");
    if (undo) notes.push(`undo: ${undo.id}`);
    else if (result.undo_reason !== undefined) notes.push(`no undo: ${result.undo_reason}`);
    return `${header(path, notes)}\n--- before\n${before}\n+++ after\n${after}`;
  },
});

/** Where all edits made theirs, in the order of the file. */
function linesOf({ lines, edits }: Lines & { readonly edits?: readonly Lines[] | undefined }): string {
  const all = [...new Set(edits?.flatMap((edit) => edit.lines) ?? lines)].toSorted((a, b) => a - b);
  const shown = all.slice(0, MOST_LINES).join(", ");
  return `${all.length === 1 ? "line" : "lines"} ${shown}${all.length > MOST_LINES ? ", …" : ""}`;
}

function editsOf({ old_text, new_text, expected_replacements, edits }: Args) {
  const single = old_text !== undefined && new_text !== undefined;
  if (
    (old_text !== undefined || new_text !== undefined) === (edits !== undefined) ||
    (edits === undefined && !single)
  ) {
    throw new InvalidArgumentError(
      "linux.fs_patch_block: old_text and new_text are needed, or edits instead of both",
      "Pass old_text and new_text for one edit.",
    );
  }
  const all = single ? [{ old_text, new_text, expected_replacements }] : (edits ?? []);
  return all.map((edit) => ({
    oldText: edit.old_text,
    newText: edit.new_text,
    expected: edit.expected_replacements,
  }));
}

function normalizeOf({ normalize }: Args) {
  if (typeof normalize === "boolean") return normalize ? (true as const) : undefined;
  const { trailing_whitespace, line_endings, indentation } = normalize;
  return { trailingWhitespace: trailing_whitespace, lineEndings: line_endings, indentation };
}

function details({ edits }: PatchedFile) {
  const isPlain = edits.length === 1 && edits[0]?.normalized === undefined && edits[0]?.lineEnds === undefined;
  return isPlain ? {} : { edits: edits.map(copyOf) };
}

function copyOf({ lines, normalized, lineEnds, ...rest }: PatchedFile["edits"][number]) {
  return {
    ...rest,
    ...(lineEnds === undefined
      ? {}
      : { note: `new_text was written with ${lineEnds} line ends, as the file has them` }),
    lines: [...lines],
    ...(normalized === undefined ? {} : { normalized: normalized.map((one) => ({ ...one, lines: [...one.lines] })) }),
  };
}

function notable({ atomic, linkBroken, wasChanged, undo, undo_reason }: PatchedFile, dryRun: boolean) {
  return {
    ...(dryRun ? { dry_run: true as const } : { undo }),
    ...(atomic ? {} : { atomic: false as const }),
    ...(linkBroken ? { link_broken: true as const } : {}),
    ...(undo_reason === undefined ? {} : { undo_reason }),
    ...(wasChanged ? { note: CHANGED_MEANWHILE } : {}),
  };
}
