import { z } from "zod";
import { defineTool } from "../../context/context.js";
import { answerNames } from "./names/answer-names.js";
import { searchTime } from "./content/content-query.js";
import { findNames } from "./names/find-names.js";
import { namesQuery } from "./names/names-query.js";
import { namesResult } from "./names/names-result.js";
import { DEFAULT_NAMES, renderNames } from "./names/render-names.js";
import { rootFields } from "./root.js";

const size = z.union([z.int().min(0), z.string().min(1).max(30)]).optional();

export const searchFiles = defineTool({
  name: "linux.search_files",
  description: "Find files and folders by part of the name, or by a glob; best matches first.",
  toolset: "search",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    ...rootFields,
    pattern: z.string().min(1).max(100_000),
    file_glob: z.string().min(1).max(4096).nullable().optional(),
    max_results: z.int().min(1).max(2000).default(DEFAULT_NAMES),
    regex: z.boolean().default(false),
    type: z.enum(["file", "dir"]).optional(),
    modified_within: z.string().min(1).max(40).optional().describe('An age ("90m", "3h", "2d") or a date.'),
    min_size: size.describe('Bytes, or "10k", "1.5MB"; only files.'),
    max_size: size.describe('Bytes, or "10k", "1.5MB"; only files.'),
    respect_gitignore: z.boolean().default(true),
    include_hidden: z.boolean().default(false),
  }),
  unlisted: ["path", "regex", "type", "modified_within", "min_size", "max_size", "respect_gitignore"],
  output: namesResult,
  logs: { args: ["root", "pattern", "file_glob"], result: ["root", "total_hits"] },

  async handler(args, context) {
    const query = namesQuery(args, context);
    const search = await context.search();
    const options = { signal: context.signal, deadlineMs: searchTime(context) };
    return await answerNames({ args, search, ...(await findNames(search, query, options)) }, context);
  },

  render: renderNames,
});
