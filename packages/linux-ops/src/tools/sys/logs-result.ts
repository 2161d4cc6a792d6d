import { z } from "zod";

export const logsResult = z.strictObject({
  lines: z.array(z.string()).describe("Rare and bad ones as they are, oldest first; secrets as ***."),
  templates: z
    .array(
      z.strictObject({
        text: z.string().describe("With * for what changes."),
        count: z.int(),
        first: z.string().nullable(),
        last: z.string().nullable(),
        example: z.string().optional().describe("The last one, where they are bad."),
      }),
    )
    .describe("Lines that differ in numbers only, the most frequent first."),
  cursor: z.string().nullable().describe("Pass it to go on from here."),
  truncated: z.boolean().describe("There are more than lines."),
  handle: z.string().nullable().describe("All lines as text; null when all are here."),
  from: z.string().describe("journal, or the file."),
  total: z.int().describe("Lines that are told, one by one or in templates."),
  note: z.string().optional(),
});

export type LogsResult = z.output<typeof logsResult>;
