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
