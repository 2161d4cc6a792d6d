import type { ListedEntry } from "@llmc/te-fs";
import { z } from "zod";

export const listEntry = z.strictObject({
  path: z.string().describe("Absolute; bytes that are not UTF-8 as \\xNN."),
  type: z.enum(["file", "dir", "symlink", "other"]),
  size_bytes: z.int().optional().describe("Of a file."),
  disk_bytes: z.int().optional().describe("With sort size: room on the disk, of a folder with all below it."),
  mtime_iso: z.string().optional(),
  target: z.string().optional().describe("What is written in a link; it is not followed."),
  error: z.string().optional().describe("Why it, or what lies in it, is not told."),
  folded_entries: z.int().optional().describe("What lies in and below a folder and is not among the entries."),
});

export type Entry = z.output<typeof listEntry>;

/** `folded`: how much of what lies in and below it is left out. */
export function toEntry(folder: string, entry: ListedEntry, folded = 0): Entry {
  const { name, type, size, mtimeMs, target, problem } = entry;
  return {
    path: folder === "/" ? `/${name}` : `${folder}/${name}`,
    type,
    ...(size === undefined ? {} : { size_bytes: size }),
    ...(mtimeMs === undefined ? {} : { mtime_iso: new Date(mtimeMs).toISOString() }),
    ...(target === undefined ? {} : { target }),
    ...(problem === undefined ? {} : { error: problem }),
    ...(folded === 0 ? {} : { folded_entries: folded }),
  };
}
