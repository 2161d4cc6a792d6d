import { InvalidArgumentError } from "@llmc/errors";
import type { Written } from "@llmc/te-fs";
import { z } from "zod";
import { changeOptions } from "../../context/change-options.js";
import { CHANGED_MEANWHILE } from "../../answer/notes.js";
import { undoFields } from "../../answer/undo-field.js";
import { defineTool } from "../../context/context.js";
import { path, sha256 } from "../../context/fields.js";

export const fsWrite = defineTool({
  name: "linux.fs_write",
  description: "Write or append text to a file, atomically.",
  toolset: "fs",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    path,
    content: z.string().max(64 * 1024 * 1024),
    mode: z.enum(["rewrite", "append"]).default("rewrite"),
    expected_sha256: sha256.nullish().describe("Fails if the file has other content."),
    create_parents: z.boolean().default(false),
  }),
  unlisted: ["expected_sha256"],
  output: z.strictObject({
    bytes_written: z.int(),
    new_sha256: z.string().describe("Of the whole file."),
    created: z.literal(true).optional(),
    atomic: z.literal(false).optional().describe("Written in place: its folder did not let it be replaced."),
    link_broken: z.literal(true).optional().describe("Its other hard links keep the old content."),
    ...undoFields,
    note: z.string().optional(),
  }),
  logs: { args: ["path", "mode"], result: ["bytes_written", "undo.id"] },

  async handler({ path, content, mode, expected_sha256, create_parents }, context) {
    if (HALF_CHARACTER.test(content)) {
      throw new InvalidArgumentError(
        "linux.fs_write: content has half a surrogate pair, which UTF-8 cannot hold",
        "Send the whole character.",
      );
    }
    const written = await context.files.write(path, Buffer.from(content), {
      ...changeOptions(context),
      mode,
      expectedSha256: expected_sha256,
      createParents: create_parents,
    });
    return { bytes_written: written.bytesWritten, new_sha256: written.sha256, ...notable(written) };
  },
});

const HALF_CHARACTER = /\p{Surrogate}/u;

/** Only what is not as usual. */
function notable({ created, atomic, linkBroken, wasChanged, end, undo, undo_reason }: Written) {
  const notes = [
    ...(wasChanged ? [CHANGED_MEANWHILE] : []),
    ...(end === undefined || end.encoding === "utf-8" ? [] : [`Written as ${end.encoding}, as the file is.`]),
    ...(end?.isOpen === true ? ["Its last line had no newline: the text goes on in that line."] : []),
  ];
  return {
    ...(created ? { created: true as const } : {}),
    ...(atomic ? {} : { atomic: false as const }),
    ...(linkBroken ? { link_broken: true as const } : {}),
    undo,
    ...(undo_reason === undefined ? {} : { undo_reason }),
    ...(notes.length === 0 ? {} : { note: notes.join(" ") }),
  };
}
