import { posix } from "node:path";
import { InvalidArgumentError } from "@llmc/errors";
import type { TransferredPath } from "@llmc/te-fs";
import { z } from "zod";
import { changeOptions } from "../../context/change-options.js";
import { CHANGED_MEANWHILE } from "../../answer/notes.js";
import { header } from "../../answer/header.js";
import { counted, humanSize } from "../../answer/line.js";
import { undoFields, undoNotes } from "../../answer/undo-field.js";
import { defineTool } from "../../context/context.js";
import { path, sha256 } from "../../context/fields.js";

const MOST_PATHS = 500;

const moved = z.strictObject({
  source: z.string(),
  target: z.string().describe("Where it is now."),
  replaced: z.literal(true).optional(),
  copied: z
    .strictObject({ entries: z.int(), bytes: z.int() })
    .optional()
    .describe("Where a copy was asked for, or needed to get to another file system."),
  left: z.literal(true).optional().describe("Something changed while it was copied and is still at the source."),
  note: z.string().optional(),
});

type Moved = z.output<typeof moved>;

export const fsMove = defineTool({
  name: "linux.fs_move",
  description: "Move or copy files or folders; onto a folder means into it.",
  toolset: "fs",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    source: path.optional(),
    paths: z.array(path).min(1).max(MOST_PATHS).optional().describe("Several, all or none."),
    target: path,
    overwrite: z.boolean().default(false),
    copy: z.boolean().default(false),
    create_parents: z.boolean().default(false),
    expected_sha256: sha256.nullish().describe("Of the file that is replaced."),
  }),
  unlisted: ["create_parents", "expected_sha256"],
  output: z.strictObject({
    ok: z.literal(true),
    ...moved.shape,
    paths: z.array(moved).optional().describe("Each of several; the fields beside it are those of the first."),
    ...undoFields,
  }),
  logs: { args: ["source", "target", "copy", "overwrite"], result: ["source", "target", "undo.id"] },

  async handler({ source, paths, target, overwrite, copy, create_parents, expected_sha256 }, context) {
    if ((source === undefined) === (paths === undefined)) {
      throw new InvalidArgumentError("linux.fs_move: pass source, or paths for several.");
    }
    const done = await context.files.transferAll(paths ?? [source as string], target, {
      ...changeOptions(context),
      copy,
      overwrite,
      createParents: create_parents,
      expectedSha256: expected_sha256,
    });
    const all = done.paths.map(toMoved);
    const { undo, undo_reason } = done;
    return {
      ok: true as const,
      ...(all[0] as Moved),
      ...(paths === undefined ? {} : { paths: all }),
      undo,
      ...(undo_reason === undefined ? {} : { undo_reason }),
    };
  },

  render(result, args) {
    const { paths } = result;
    if (paths === undefined) return header(arrow(result, args), [...notesOf(result), ...undoNotes(result)]);
    const verb = args.copy ? "copied" : "moved";
    const head = header(args.target, [`${paths.length} ${verb} into it`, ...undoNotes(result)]);
    const odd = paths.filter((each) => notesOf(each).length > (args.copy ? 1 : 0));
    return [head, ...odd.map((each) => header(posix.basename(each.target), notesOf(each)))].join("\n");
  },
});

/** Writes source and target, with the target in the caller's spelling if that names the new path. */
function arrow({ target }: Moved, given: { readonly source?: string | undefined; readonly target: string }): string {
  const written = posix.normalize(given.target);
  const into = posix.join(written, posix.basename(target));
  return `${given.source} -> ${[written, into].find((each) => target.endsWith(`/${each}`)) ?? target}`;
}

function notesOf({ replaced, copied, left, note }: Moved): string[] {
  return [
    ...(replaced ? ["replaced a file"] : []),
    ...(copied === undefined ? [] : [`copied ${counted(copied.entries)}, ${humanSize(copied.bytes)}`]),
    ...(left ? ["part of it changed meanwhile and is still at the source"] : []),
    ...(note === undefined ? [] : [note]),
  ];
}

function toMoved({ source, target, replaced, copied, left, wasChanged }: TransferredPath): Moved {
  return {
    source,
    target,
    ...(replaced ? { replaced: true as const } : {}),
    ...(copied === undefined ? {} : { copied }),
    ...(left ? { left: true as const } : {}),
    ...(wasChanged ? { note: CHANGED_MEANWHILE } : {}),
  };
}
