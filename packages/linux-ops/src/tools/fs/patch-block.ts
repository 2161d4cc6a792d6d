import { InvalidArgumentError } from "@llmc/errors";
import type { PatchedFile } from "@llmc/te-fs";
import { z } from "zod";
import { changeOptions } from "../../context/change-options.js";
import { changeFacts, changeNotes } from "../../answer/change-facts.js";
import { undoFields } from "../../answer/undo-field.js";
import { CHANGED_MEANWHILE, keptNote } from "../../answer/notes.js";
import { defineTool } from "../../context/context.js";
import { path } from "../../context/fields.js";
import { header } from "../../answer/header.js";

const text = z.string().max(16 * 1024 * 1024);
// The schema sets no upper bound, because a bound costs tokens in every listing; the patch itself refuses too many
// replacements.
const count = z.int().min(1).default(1);
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
    .describe("Forgive whitespace at every place that is expected, not only where one place fits."),
  dry_run: z.boolean().default(false).describe("Change nothing."),
});

type Args = z.output<typeof input>;

/** Places that an answer shows. */
const MOST_PLACES = 5;

export const fsPatchBlock = defineTool({
  name: "linux.fs_patch_block",
  description: "Replace exact text in a file.",
  toolset: "patch",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input,
  // `normalize` is rarely needed, because whitespace is forgiven without it if that is safe.
  unlisted: ["normalize", "dry_run"],
  output: z.strictObject({
    path: z.string(),
    replacements_made: z.int(),
    before_snippet: z.string().describe("The first place, with the lines around it."),
    after_snippet: z.string(),
    lines: z.array(z.int()).describe("Where the first replacements begin now."),
    places: z
      .array(
        z.strictObject({
          line: z.int(),
          old: z.string().optional(),
          new: z.string().optional(),
          replacements: z.int().optional().describe("In these lines, if there are several."),
        }),
      )
      .optional()
      .describe("The first places: the first line that was replaced there, and the one that it became."),
    edits: z
      .array(
        z.strictObject({
          replacements: z.int(),
          lines: z.array(z.int()),
          normalized: z
            .array(z.strictObject({ kind: z.string(), lines: z.array(z.int()), count: z.int() }))
            .optional()
            .describe("Whitespace that was forgiven, and in which lines."),
          note: z.string().optional(),
        }),
      )
      .optional()
      .describe("With several edits, or where whitespace was forgiven."),
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
      places: placesOf(patched),
      ...details(patched),
      ...notable(patched, args.dry_run),
    };
  },

  render(result, { path }) {
    const { places = [] } = result;
    const left = result.replacements_made - places.reduce((sum, { replacements = 1 }) => sum + replacements, 0);
    const notes = [
      ...(result.dry_run === true ? ["dry run, nothing changed"] : []),
      shownLines(result.replacements_made, [...places.map(({ line }) => line), ...(left > 0 ? ["…"] : [])]),
      ...editNotes(result.edits ?? []),
    ];
    const shown = places.flatMap(({ old, new: fresh }) => [
      ...(old === undefined ? [] : [`- ${old}`]),
      ...(fresh === undefined ? [] : [`+ ${fresh}`]),
    ]);
    const more = left > 0 ? [`… ${left} more`] : [];
    return [header(path, [...notes, ...changeNotes(result)]), ...shown, ...more].join("\n");
  },
});

/** Formats `line 6` or `3 replacements, lines 2, 3, 9`. */
function shownLines(made: number, lines: readonly (number | string)[]): string {
  const where = `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}`;
  return made === 1 ? where : `${made} replacements, ${where}`;
}

interface Edit {
  readonly replacements: number;
  readonly normalized?: readonly { readonly kind: string }[] | undefined;
  readonly note?: string | undefined;
}

const FORGIVEN: Readonly<Record<string, string>> = {
  indentation: "indentation taken from the file",
  "trailing whitespace": "trailing blanks ignored",
};

/** Returns each remark on edits once, and a note for each skipped edit with its number. */
function editNotes(edits: readonly Edit[]): readonly string[] {
  const notes = edits.flatMap(({ replacements, normalized = [], note }, nth) => [
    ...normalized.flatMap(({ kind }) => FORGIVEN[kind] ?? []),
    ...(note === undefined ? [] : [replacements === 0 ? `edits[${nth}] ${note}` : note]),
  ]);
  return [...new Set(notes)];
}

function placesOf({ edits }: PatchedFile) {
  const all = edits.flatMap(({ places }) => places).toSorted((one, other) => one.line - other.line);
  return all.slice(0, MOST_PLACES).map(({ line, count, old, fresh }) => ({
    line,
    ...(old === null ? {} : { old }),
    ...(fresh === null ? {} : { new: fresh }),
    ...(count === 1 ? {} : { replacements: count }),
  }));
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

function copyOf({ lines, normalized, lineEnds, replacements }: PatchedFile["edits"][number]) {
  const note = replacements === 0 ? MADE_ALREADY : lineEnds === undefined ? undefined : `${lineEnds} kept`;
  return {
    replacements,
    lines: [...lines],
    ...(note === undefined ? {} : { note }),
    ...(normalized === undefined ? {} : { normalized: normalized.map((one) => ({ ...one, lines: [...one.lines] })) }),
  };
}

const MADE_ALREADY = "was there already";

function notable(patched: PatchedFile, dryRun: boolean) {
  const notes = [...keptNote(patched.encoding), ...(patched.wasChanged ? [CHANGED_MEANWHILE] : [])];
  return {
    ...(dryRun ? { dry_run: true as const } : {}),
    ...changeFacts(patched, !dryRun),
    ...(notes.length === 0 ? {} : { note: notes.join("; ") }),
  };
}
