import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { openFiles, type Files, type FilesOptions } from "@llmc/te-fs";
import { bubblewrapCell } from "@llmc/te-run";
import { onTestFinished } from "vitest";
import type { NamesFound, NamesQuery } from "../../src/index.js";
import { openNames, type Names, type NamesSetup } from "../../src/names/open-names.js";

/** A fresh folder, gone after the test. */
export function freshDir(): string {
  const dir = realpathSync(mkdtempSync(`${tmpdir()}/te-search-names-`));
  onTestFinished(() => void execFileSync("rm", ["-rf", "--one-file-system", dir]));
  return dir;
}

export interface Link {
  readonly to: string;
}

/** Names as bytes (one character each): files by their text, links by `{ to }`, folders by `null`. */
export function plant(dir: string, entries: Readonly<Record<string, string | Link | null>>): string {
  for (const [name, what] of Object.entries(entries)) {
    const path = bytesOf(`${bytes(dir)}/${name}`);
    mkdirSync(what === null ? path : bytesOf(dirname(`${bytes(dir)}/${name}`)), { recursive: true });
    if (typeof what === "string") writeFileSync(path, what);
    else if (what !== null) symlinkSync(what.to, path);
  }
  return dir;
}

/** Files of these names, all empty. */
export function plantNames(dir: string, names: readonly string[]): string {
  return plant(dir, Object.fromEntries(names.map((name) => [bytes(name), ""])));
}

export function bytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

export function bytesOf(path: string): Buffer {
  return Buffer.from(path, "latin1");
}

export function filesIn(root: string, options: Partial<FilesOptions> = {}): Files {
  const files = openFiles({ roots: [root], home: "/nonexistent-home", homes: [], ...options });
  onTestFinished(() => files.close());
  return files;
}

/** Where fd never has a turn. */
export const WALK: Partial<NamesSetup> = { path: "/nonexistent" };
/** Where fd has it at once. */
export const FD: Partial<NamesSetup> = { largeFrom: 0 };
export const HELD_FD: Partial<NamesSetup> = { ...FD, cell: bubblewrapCell() };

export function namesIn(root: string, setup: Partial<NamesSetup> = WALK, files: Files = filesIn(root)): Names {
  const names = openNames({ files, ...setup });
  onTestFinished(() => names.close());
  return names;
}

export const PLAIN = {
  regex: false,
  respectIgnore: true,
  includeHidden: false,
  maxKept: 1000,
  maxKeptBytes: 1_000_000,
} as const;
export const LONG_ENOUGH = { deadlineMs: 600_000 };

export type Asked = Partial<NamesQuery> & { readonly pattern: string };

export function ask(names: Names, root: string, asked: Asked): Promise<NamesFound> {
  return names.search({ ...PLAIN, root, ...asked }, LONG_ENOUGH);
}

/** The paths below the root that are found, best first. */
export async function found(root: string, asked: Asked, names: Names = namesIn(root)): Promise<string[]> {
  const { hits } = await ask(names, root, asked);
  return hits.map(({ path }) => path.slice(root.length + 1));
}

/** What a caller sees of an error. */
export async function failure(work: Promise<unknown>): Promise<{ code: string; message: string; advice: unknown }> {
  const thrown = await work.then(
    () => ({ code: "none", message: "it did not fail", advice: undefined }),
    (error: unknown) => error as { code: string; message: string; advice: unknown },
  );
  return { code: thrown.code, message: thrown.message, advice: thrown.advice };
}
