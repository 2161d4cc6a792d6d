import { z } from "zod";
import { defineTool } from "../../context/context.js";
import { contentResult } from "./content/content-result.js";
import { DEFAULT_HITS, renderContent } from "./content/render-content.js";
import { rootFields } from "./root.js";

export const searchContent = defineTool({
  name: "linux.search_content",
  description: "Search file contents by regex; definitions come first, .gitignore counts.",
  toolset: "search",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    ...rootFields,
    pattern: z.string().min(1).max(100_000),
    file_glob: z.string().min(1).max(4096).nullable().optional(),
    literal: z.boolean().default(false),
    ignore_case: z.boolean().default(true),
    context_lines: z.int().min(0).max(10).default(3),
    max_results: z.int().min(1).max(1000).default(DEFAULT_HITS),
    before: z.int().min(0).max(100).optional().describe("Lines before each hit, instead of context_lines."),
    after: z.int().min(0).max(100).optional().describe("Lines after each hit, instead of context_lines."),
    type: z.string().min(1).max(100).optional().describe('A file type of ripgrep: "ts", "py", "rust".'),
    multiline: z.boolean().optional().describe("A hit may span lines; without it, where the pattern has \\n."),
    respect_gitignore: z.boolean().default(true),
    include_hidden: z.boolean().default(false),
    sort: z
      .enum(["path", "mtime", "none"])
      .optional()
      .describe("Order of the files; mtime: latest first. Without it definitions first, where not all fit."),
    mode: z.enum(["lines", "files", "count"]).default("lines"),
  }),
  unlisted: ["path", "before", "after", "type", "multiline", "respect_gitignore", "sort"],
  output: contentResult,
  logs: { args: ["root", "pattern", "file_glob"], result: ["root", "total_hits", "files"] },

  // Imported at the first search, because everything imported at the start makes the start slower.
  handler: async (args, context) => (await import("./content/run.js")).runContent(args, context),

  render: renderContent,
});
