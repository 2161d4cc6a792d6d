import { z } from "zod";

/** What every change says about taking it back. */
export const undoFields = {
  undo: z
    .strictObject({ id: z.string(), held_bytes: z.int() })
    .nullable()
    .optional()
    .describe("For linux.fs_undo; null when it cannot be taken back."),
  undo_reason: z.string().optional().describe("Why it cannot be taken back."),
};

export interface Undoable {
  readonly undo?: { readonly id: string } | null | undefined;
  readonly undo_reason?: string | undefined;
}

/** The change as a header names it. */
export function shownUndo({ id }: { readonly id: string }): string {
  return `undo ${id}`;
}

/** A note for the header of a change. */
export function undoNotes({ undo, undo_reason }: Undoable): readonly string[] {
  if (undo) return [shownUndo(undo)];
  return undo_reason === undefined ? [] : [`no undo: ${undo_reason}`];
}
