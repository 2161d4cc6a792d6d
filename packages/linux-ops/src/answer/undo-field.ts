import { shortName } from "@llmc/te-undo";
import { z } from "zod";

/** Output fields of every change about its undo. */
export const undoFields = {
  undo: z
    .strictObject({ id: z.string(), held_bytes: z.int() })
    .nullable()
    .optional()
    .describe("For linux.fs_undo; null when it cannot be undone."),
  undo_reason: z.string().optional().describe("Why it cannot be undone."),
};

export interface Undoable {
  readonly undo?: { readonly id: string } | null | undefined;
  readonly undo_reason?: string | undefined;
}

/** Notes for a header: the short name to pass to linux.fs_undo, or the reason why the change has no undo. */
export function undoNotes({ undo, undo_reason }: Undoable): readonly string[] {
  if (undo) return [`undo ${shortName(undo.id)}`];
  return undo_reason === undefined ? [] : [`no undo: ${undo_reason}`];
}
