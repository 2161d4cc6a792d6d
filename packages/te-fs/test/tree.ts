import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

/** A fresh folder, gone after the test. */
export function freshDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "te-fs-")));
  // Node's own rm stops at paths longer than PATH_MAX, and neither may follow a mount that a test left behind.
  onTestFinished(() => void execFileSync("rm", ["-rf", "--one-file-system", dir]));
  return dir;
}

export interface Link {
  readonly to: string;
}

/** Files by their text, links by `{ to }`, folders by `null`. */
export function plant(dir: string, entries: Readonly<Record<string, string | Buffer | Link | null>>): string {
  for (const [name, what] of Object.entries(entries)) {
    const path = join(dir, name);
    mkdirSync(what === null ? path : dirname(path), { recursive: true });
    if (what === null) continue;
    if (typeof what === "string" || Buffer.isBuffer(what)) writeFileSync(path, what);
    else symlinkSync(what.to, path);
  }
  return dir;
}

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

/** The facts of an error that a caller sees. */
export async function failure(
  work: Promise<unknown>,
): Promise<{ code: string; message: string; hint: string | undefined }> {
  const thrown = await work.then(
    () => ({ code: "none", message: "it did not fail", hint: undefined }),
    (error: unknown) => error as { code: string; message: string; hint: string | undefined },
  );
  return { code: thrown.code, message: thrown.message, hint: thrown.hint };
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  return (await failure(work)).code;
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
