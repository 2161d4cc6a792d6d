import { InvalidArgumentError } from "@llmc/errors";
import { leftOutOf, selectFirst, selectLevels, type Selection } from "@llmc/te-fs";
import { z } from "zod";
import { defineTool, type LinuxOpsContext } from "../../context/context.js";
import { path } from "../../context/fields.js";
import { walkBounds } from "./listing/bounds.js";
import { listEntry, toEntry, type Entry } from "./listing/entry.js";
import { fullListHandle } from "./listing/full-list-handle.js";
import { DEFAULT_ENTRIES, isTextCut, renderList } from "./listing/render.js";
import { answerUsage, renderUsage } from "./listing/usage.js";

const input = z.strictObject({
  path,
  depth: z.int().min(0).max(10).default(2),
  include_hidden: z.boolean().default(false),
  file_glob: z.string().max(4096).nullable().optional(),
  max_entries: z.int().min(1).max(5000).default(DEFAULT_ENTRIES),
  sizes: z.boolean().optional(),
  sort: z.enum(["name", "size"]).optional().describe("size: disk usage."),
  respect_gitignore: z.boolean().default(false),
});

type Args = z.output<typeof input>;

export const fsList = defineTool({
  name: "linux.fs_list",
  description: "List a folder and what is below it.",
  toolset: "fs",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  unlisted: ["sizes", "respect_gitignore"],
  output: z.strictObject({
    entries: z.array(listEntry).describe("Breadth first; in each folder its folders first."),
    truncated: z.boolean(),
    handle: z
      .string()
      .nullable()
      .describe("All entries as one JSON array, one a line; null when all are here or too many to keep."),
    path: z.string(),
    total_entries: z.int().describe("Found within the depth, shown or not."),
    hidden: z.int().optional().describe("Names with a dot that were left out."),
    ignored: z.int().optional().describe("Left out by a .gitignore."),
    folders_not_entered: z.int().optional().describe("Time was up, or they are too many: the total is too low."),
    disk_bytes: z.int().optional().describe("With sort size: disk usage of path."),
    counted_entries: z.int().optional().describe("With sort size: entries at any depth that disk_bytes counts."),
    folders_not_read: z.int().optional().describe("With sort size: no permission; not counted."),
  }),
  logs: { args: ["path", "depth", "file_glob", "sort"], result: ["path", "total_entries"] },

  async handler(args, context) {
    if (args.sort !== "size") return await answerList(args, context);
    checkUsage(args);
    return await answerUsage(args, context);
  },

  render: (result, args) => (args.sort === "size" ? renderUsage(result, args) : renderList(result, args)),
});

/** Refuses arguments that the sort order would ignore. */
function checkUsage({ file_glob, respect_gitignore }: Args): void {
  const name = typeof file_glob === "string" ? "file_glob" : respect_gitignore ? "respect_gitignore" : undefined;
  if (name === undefined) return;
  throw new InvalidArgumentError(`${name} does not go with sort "size", which counts all`, `Leave out ${name}.`);
}

async function answerList(args: Args, context: LinuxOpsContext) {
  const glob = args.file_glob ?? undefined;
  const listing = await context.files.list(args.path, {
    depth: args.depth,
    includeHidden: args.include_hidden,
    glob,
    respectGitignore: args.respect_gitignore,
    ...walkBounds(args.max_entries, context),
  });
  const select = glob === undefined ? selectLevels : selectFirst;
  const entries = entriesIn(select(listing, args.max_entries));
  const isCut = entries.length < listing.total;
  const answer = {
    entries,
    truncated: isCut || listing.notEntered > 0,
    path: listing.path,
    total_entries: listing.total,
    ...(listing.hidden === 0 ? {} : { hidden: listing.hidden }),
    ...(listing.ignored === 0 ? {} : { ignored: listing.ignored }),
    ...(listing.notEntered === 0 ? {} : { folders_not_entered: listing.notEntered }),
  };
  return { ...answer, handle: isCut || isTextCut(answer, args) ? await fullListHandle(listing, context) : null };
}

function entriesIn(selection: Selection): Entry[] {
  return Array.from(selection, ([folder, entries]) =>
    entries.map((entry) => toEntry(folder.path, entry, leftOutOf(selection, entry))),
  ).flat();
}
