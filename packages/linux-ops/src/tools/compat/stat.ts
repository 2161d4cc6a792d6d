import { z } from "zod";
import { defineTool } from "../../context/context.js";
import { path } from "../../context/fields.js";
import { header } from "../../answer/header.js";
import { humanSize } from "../../answer/line.js";

export const stat = defineTool({
  name: "stat",
  description: "Size, time, mode and type of what a path leads to.",
  toolset: "compat",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ path }),
  output: z.strictObject({
    data: z.strictObject({
      size: z.int(),
      mtime: z.number().describe("Seconds since 1970."),
      mode: z.string().describe("Octal, such as 0644."),
      type: z.enum(["file", "dir", "other"]),
    }),
  }),
  logs: { args: ["path"], result: ["data.type"] },
  enveloped: true,

  async handler(args, { files, signal }) {
    const { size, mtimeMs, mode, type } = await files.stat(args.path, { signal });
    return { data: { size, mtime: mtimeMs / 1000, mode: mode.toString(8).padStart(4, "0"), type } };
  },

  render: ({ data: { size, mtime, mode, type } }, { path: given }) =>
    header(given, [type, humanSize(size), `mode ${mode}`, `changed ${new Date(mtime * 1000).toISOString()}`]),
});
