import type { ListedEntry } from "@llmc/te-fs";
import { z } from "zod";
import { defineTool } from "../../context/context.js";
import { path } from "../../context/fields.js";
import { budgetFor, walkBounds } from "./listing/bounds.js";
import { listEntry, toEntry, type Entry } from "./listing/entry.js";
import { fullListHandle } from "./listing/full-list-handle.js";
import { renderList } from "./listing/render.js";
import { selectFirst, selectFolded, type Selection } from "./listing/select.js";

export const fsList = defineTool({
  name: "linux.fs_list",
  description: "List a folder and what is below it.",
  toolset: "fs",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    path,
    depth: z.int().min(0).max(10).default(2).describe("0: own entries."),
    include_hidden: z.boolean().default(false),
    file_glob: z.string().max(4096).nullable().optional(),
    max_entries: z.int().min(1).max(5000).default(500),
    respect_gitignore: z.boolean().default(false),
  }),
  unlisted: ["respect_gitignore"],
  output: z.strictObject({
    entries: z.array(listEntry).describe("Breadth first; in each folder its folders first."),
    truncated: z.boolean(),
    handle: z
      .string()
      .nullable()
      .describe("All entries as one JSON array; null when all are here or too many to keep."),
    path: z.string(),
    total_entries: z.int().describe("Found within the depth, shown or not."),
    hidden: z.int().optional().describe("Names with a dot that were left out."),
    ignored: z.int().optional().describe("Left out by a .gitignore."),
    folders_not_entered: z.int().optional().describe("Time was up, or they are too many: the total is too low."),
  }),
  logs: { args: ["path", "depth", "file_glob"], result: ["path", "total_entries"] },

  async handler(args, context) {
    const glob = args.file_glob ?? undefined;
    const listing = await context.files.list(args.path, {
      depth: args.depth,
      includeHidden: args.include_hidden,
      glob,
      respectGitignore: args.respect_gitignore,
      ...walkBounds(args.max_entries, context),
    });
    const budget = budgetFor(args.max_entries, context);
    const foldFilled = !context.given.has("max_entries");
    const entries = shownOf(
      glob === undefined ? selectFolded(listing, budget, foldFilled) : selectFirst(listing, budget),
    );
    const isCut = entries.length < listing.total;
    return {
      entries,
      truncated: isCut || listing.notEntered > 0,
      handle: isCut ? await fullListHandle(listing, context) : null,
      path: listing.path,
      total_entries: listing.total,
      ...(listing.hidden === 0 ? {} : { hidden: listing.hidden }),
      ...(listing.ignored === 0 ? {} : { ignored: listing.ignored }),
      ...(listing.notEntered === 0 ? {} : { folders_not_entered: listing.notEntered }),
    };
  },

  render: (result, args) => renderList(result, args),
});

function shownOf(selection: Selection): Entry[] {
  return Array.from(selection, ([folder, entries]) =>
    entries.map((entry) => toEntry(folder.path, entry, foldedIn(selection, entry))),
  ).flat();
}

function foldedIn(selection: Selection, { contents }: ListedEntry): number {
  return contents === undefined || selection.has(contents) ? 0 : contents.total;
}
