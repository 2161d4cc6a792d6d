import { selectFirst } from "@llmc/te-fs";
import { z } from "zod";
import { defineTool } from "../../context/context.js";
import { path } from "../../context/fields.js";
import { budgetFor, fitting } from "../../answer/budget.js";
import { walkBounds } from "../fs/listing/bounds.js";
import { fullListHandle } from "../fs/listing/full-list-handle.js";
import { counted, grouped, spell } from "../../answer/line.js";
import { shownHandle } from "../../answer/handle.js";
import { header } from "../../answer/header.js";

const DEFAULT_ENTRIES = 1000;

export const listDir = defineTool({
  name: "list_dir",
  description: "The names in a folder; linux.fs_list tells more.",
  toolset: "compat",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    path,
    include_hidden: z.boolean().default(false),
    max_entries: z.int().min(1).max(5000).default(DEFAULT_ENTRIES),
  }),
  output: z.strictObject({
    data: z.array(z.string()),
    meta: z.strictObject({
      path: z.string(),
      truncated: z.literal(true).optional(),
      total_entries: z.int().optional(),
      handle: z.string().nullable().optional().describe("All entries as one JSON array, when truncated."),
      hidden: z.int().optional().describe("Names with a dot that were left out."),
    }),
  }),
  logs: { args: ["path"], result: ["meta.path", "meta.total_entries"] },
  enveloped: true,

  async handler(args, context) {
    const listing = await context.files.list(args.path, {
      depth: 0,
      includeHidden: args.include_hidden,
      ...walkBounds(args.max_entries, context),
    });
    const names = Array.from(selectFirst(listing, args.max_entries).values()).flatMap((entries) =>
      entries.map(({ name }) => name),
    );
    const data = fitting(names, (name) => name, budgetFor(args.max_entries, DEFAULT_ENTRIES));
    const { path, total, hidden } = listing;
    const cut = data.length < total;
    return {
      data: data.toSorted(),
      meta: {
        path,
        ...(cut
          ? { truncated: true as const, total_entries: total, handle: await fullListHandle(listing, context) }
          : {}),
        ...(hidden === 0 ? {} : { hidden }),
      },
    };
  },

  render({ data, meta: { path, total_entries: total, handle, hidden } }) {
    const notes = [total === undefined ? counted(data.length) : `${grouped(data.length)} of ${counted(total)}`];
    if (hidden !== undefined) notes.push(`${grouped(hidden)} hidden (include_hidden)`);
    if (typeof handle === "string") notes.push(`all: ${shownHandle(handle)}`);
    return [header(path, notes), ...data.map(spell)].join("\n");
  },
});
