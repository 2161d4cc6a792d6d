import { z } from "zod";

export const contentHit = z.strictObject({
  path: z.string().describe("Absolute; bytes that are not UTF-8 as \\xNN."),
  line: z.int().describe("From 1; 0 in the modes files and count."),
  snippet: z
    .string()
    .describe("The line with its context. Context that neighbours share stands in the first of them only."),
  first_line: z.int().optional().describe("Number of the snippet's first line, where it is not the hit's."),
  end_line: z.int().optional().describe("Last line of a hit that spans lines."),
  definition: z.string().optional().describe("What the line defines, from it on, where it is the only hit."),
  definition_end: z.int().optional().describe("Last line of the definition, shown or not."),
  column: z.int().optional().describe("Where the match begins, in a line that was cut around it."),
  count: z.int().optional().describe("Hits of the file, in the mode count."),
});

export type ContentHit = z.output<typeof contentHit>;

export const leftOut = z
  .strictObject({
    ignored: z.int().optional(),
    hidden: z.int().optional(),
    binary: z.int().optional(),
    unreadable: z.int().optional(),
    changed: z.int().optional().describe("Hits that were gone when they were looked at again."),
    at_least: z.literal(true).optional().describe("There are more than these."),
  })
  .describe("Files and folders that were not searched, by reason.");

export const contentResult = z.strictObject({
  hits: z.array(contentHit),
  total_hits: z.int().describe("In the mode files: how many files."),
  truncated: z.boolean(),
  handle: z
    .string()
    .nullable()
    .describe("All hits as one JSON array, one a line, without context; null when all are here or too many to keep."),
  root: z.string(),
  files: z.int().describe("How many have hits."),
  lower_bound: z.literal(true).optional().describe("There may be more than total_hits."),
  ended_by: z.enum(["scan bound", "deadline"]).optional().describe("Why the search ended before it was through."),
  more: z
    .array(z.strictObject({ path: z.string(), hits: z.int() }))
    .optional()
    .describe("Files with the most hits that are not here."),
  more_files: z.int().optional().describe("Further such files."),
  left_out: leftOut.optional(),
  engine: z.string().optional().describe("When it is not ripgrep."),
  note: z.string().optional().describe("What was done otherwise than asked for."),
  hint: z.string().optional().describe("What may find something, where nothing was found."),
});

export type ContentResult = z.output<typeof contentResult>;
