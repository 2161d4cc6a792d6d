import { posix } from "node:path";
import { InvalidArgumentError } from "@llmc/errors";
import type { Written } from "@llmc/te-fs";
import { z } from "zod";
import { changeOptions } from "../../context/change-options.js";
import { header, onOneLine } from "../../answer/header.js";
import { humanSize } from "../../answer/line.js";
import { CHANGED_MEANWHILE, keptNote } from "../../answer/notes.js";
import { changeFacts, changeNotes } from "../../answer/change-facts.js";
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
    create_parents: z.boolean().default(true),
  }),
  unlisted: ["expected_sha256", "create_parents"],
  output: z.strictObject({
    bytes_written: z.int(),
    new_sha256: z.string().describe("Of the whole file."),
    created: z.literal(true).optional(),
    folders: z.array(z.string()).optional().describe("Folders that were made for it."),
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

  render(result, { path, mode }) {
    const { created, folders: [folder] = [], bytes_written } = result;
    const size = humanSize(bytes_written);
    const notes = created ? ["new", size] : mode === "append" ? [`${size} appended`] : ["rewritten", size];
    if (folder !== undefined) notes.push(`new folder ${onOneLine(posix.basename(folder))}/`);
    return header(path, [...notes, ...changeNotes(result)]);
  },
});

const HALF_CHARACTER = /\p{Surrogate}/u;

/** Returns the undo of a write, and only the unusual facts about the write. */
function notable(written: Written) {
  const { created, folders, reformed, end, wasChanged } = written;
  const notes = [...keptNote(end?.encoding), ...reformed];
  if (end?.isOpen === true) notes.push("goes on in the last line, which had no newline");
  if (wasChanged) notes.push(CHANGED_MEANWHILE);
  return {
    ...(created ? { created: true as const } : {}),
    ...(folders.length === 0 ? {} : { folders: [...folders] }),
    ...changeFacts(written),
    ...(notes.length === 0 ? {} : { note: notes.join("; ") }),
  };
}
