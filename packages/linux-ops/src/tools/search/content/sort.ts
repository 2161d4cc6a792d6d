import { best, comparePaths, type HitFile } from "@llmc/te-search";
import type { LinuxOpsContext } from "../../../context/context.js";
import type { Found } from "./source.js";
import { createPace } from "../../../answer/pace.js";

export type SortedBy = "path" | "mtime" | "none" | "count";

/** The first files: by path, by when they were changed (the latest first), by how much they hold, or as found. */
export async function firstFiles(
  found: Found,
  by: SortedBy,
  count: number,
  context: LinuxOpsContext,
): Promise<readonly HitFile[]> {
  const { files } = found;
  if (by === "none") return files.slice(0, count);
  const times = by === "mtime" ? await changeTimes(found, context) : undefined;
  const weight = (file: HitFile): number => (by === "count" ? file.count : (times?.get(file) ?? 0));
  const order = (a: HitFile, b: HitFile): number => weight(b) - weight(a) || comparePaths(a.way, b.way);
  return best(files, count, order, createPace(context.signal));
}

async function changeTimes({ searchRoot, files }: Found, context: LinuxOpsContext): Promise<Map<HitFile, number>> {
  if (searchRoot.kind === "text") return new Map();
  const ways = files.map(({ way }) => way);
  const names = await (await context.search()).lookAtNames(searchRoot, ways, context.signal);
  return new Map(files.map((file, index) => [file, names[index]?.mtimeMs ?? 0]));
}
