import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openFiles, type Files, type FilesOptions } from "@llmc/te-fs";
import { rgPath } from "@vscode/ripgrep";
import { onTestFinished } from "vitest";
import { openSearch, type ContentQuery, type Search, type SearchSetup } from "../../src/index.js";

export const PACKAGED_RG: string = rgPath;

export const QUERY = {
  literal: false,
  ignoreCase: false,
  multiline: false,
  respectIgnore: true,
  includeHidden: false,
  mode: "lines",
  maxScanHits: 100_000,
  maxKeptBytes: 4 * 1024 * 1024,
  maxLineChars: 400,
} as const satisfies Partial<ContentQuery>;

export interface Desk {
  readonly root: string;
  readonly files: Files;
  readonly search: Search;
}

/** A fresh root with these files, and a search below it. */
export async function makeDesk(
  contents: Readonly<Record<string, string | Uint8Array>> = {},
  setup: DeskSetup = {},
): Promise<Desk> {
  const root = freshFolder();
  await fill(root, contents);
  return { root, ...openDesk([root], setup) };
}

export type DeskSetup = Omit<Partial<SearchSetup>, "files"> & { readonly files?: Partial<FilesOptions> };

export function openDesk(roots: readonly string[], { files: options, ...setup }: DeskSetup = {}): Omit<Desk, "root"> {
  const files = openFiles({ roots, home: join(roots[0] as string, "no-home"), homes: [], ...options });
  const search = openSearch({ files, packagedRg: PACKAGED_RG, ...setup });
  onTestFinished(async () => {
    await search.close();
    files.close();
  });
  return { files, search };
}

export function freshFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "te-search-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function fill(root: string, contents: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(contents)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
}
