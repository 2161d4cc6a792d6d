import { computeChanges } from "../../src/diff/changes.js";
import { parseDiff } from "../../src/diff/parse.js";
import type { Change } from "../../src/diff/files-to-be.js";

export type Files = ReadonlyMap<string, Buffer>;

export interface Patched {
  readonly files: Files;
  readonly changes: readonly Change[];
  /** Parts that the files already had. */
  readonly notes: readonly string[];
}

/** Applies a diff to files that are only in memory, one change after the other, as it would be done on a disk. */
export async function patch(files: Files, diff: string): Promise<Patched> {
  const { changes, notes } = await computeChanges(parseDiff(diff), { read: (path) => files.get(path) ?? null });
  const after = new Map(files);
  for (const change of changes) make(after, change);
  return { files: after, changes, notes };
}

function make(files: Map<string, Buffer>, { kind, path, from, before, after }: Change): void {
  const source = from ?? path;
  if ((files.get(source) ?? null) !== before && !files.get(source)?.equals(before ?? Buffer.of())) {
    throw new Error(`${source} is not what the change says`);
  }
  if (kind !== "modify" && kind !== "delete" && files.has(path)) throw new Error(`${path} is in the way`);
  if (kind === "rename" || kind === "delete") files.delete(source);
  if (after !== null) files.set(path, after);
}
