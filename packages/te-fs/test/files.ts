import { onTestFinished } from "vitest";
import {
  createLineIndexCache,
  openFiles,
  readSlice,
  type Files,
  type FilesOptions,
  type LineIndexCache,
  type LineSlice,
  type SliceOptions,
} from "../src/index.js";

/** Files below `root`, closed after the test. No home of the machine that runs the test plays a part. */
export function filesIn(root: string | readonly string[], options: Partial<FilesOptions> = {}): Files {
  const roots = typeof root === "string" ? [root] : root;
  const files = openFiles({ roots, home: "/nonexistent-home", homes: [], ...options });
  onTestFinished(() => files.close());
  return files;
}

export const wide = { maxLines: 1_000_000, maxLineChars: 1_000_000, maxBytes: 100_000_000, keepWholeUpTo: 0 };

export async function slice(files: Files, path: string, options: Partial<SliceOptions> = {}): Promise<LineSlice> {
  await using file = await files.open(path);
  return await readSlice(file, { ...wide, ...options });
}

export async function text(files: Files, path: string): Promise<string> {
  return (await slice(files, path)).content;
}

/** A cache that takes every file for old enough, and counts how often it had one. */
export function eagerIndex(): { cache: LineIndexCache; hits: () => number } {
  const inner = createLineIndexCache({ maxFiles: 10 });
  let hits = 0;
  const cache: LineIndexCache = {
    get(identity) {
      const found = inner.get(identity);
      if (found !== undefined) hits += 1;
      return found;
    },
    set: (identity, map) => inner.set(identity, map, Number.MAX_SAFE_INTEGER),
  };
  return { cache, hits: () => hits };
}
