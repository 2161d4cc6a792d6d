import { z } from "zod";
import { leftOut } from "../content/content-result.js";

export const namesResult = z.strictObject({
  hits: z
    .array(
      z.strictObject({
        path: z.string().describe("Absolute; bytes that are not UTF-8 as \\xNN."),
        type: z.enum(["dir", "symlink", "other"]).optional().describe("Where it is no file."),
        size_bytes: z.int().optional().describe("With min_size or max_size."),
        mtime_iso: z.string().optional().describe("With modified_within."),
      }),
    )
    .describe("Best first: the name itself, its beginning, a word in it, any part, then the path."),
  total_hits: z.int(),
  truncated: z.boolean(),
  handle: z.string().nullable().describe("All hits as one JSON array; null when all are here or too many to keep."),
  root: z.string(),
  matched_as: z
    .enum(["text", "case", "words", "regex"])
    .optional()
    .describe("Nothing matched as asked for: the pattern as plain text, in any case, its words, or a regex did."),
  lower_bound: z.literal(true).optional().describe("There may be more than total_hits."),
  ended_by: z.literal("deadline").optional().describe("Why the search ended before it was through."),
  left_out: leftOut.pick({ ignored: true, hidden: true, unreadable: true, at_least: true }).optional(),
  hint: z.string().optional().describe("What may find something, where nothing was found."),
});

export type NamesResult = z.output<typeof namesResult>;
