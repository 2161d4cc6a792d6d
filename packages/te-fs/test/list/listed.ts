import type { Files, ListedFolder, Listing, ListOptions } from "../../src/index.js";

export const everything: ListOptions = {
  depth: 10,
  includeHidden: true,
  maxEntries: 1000,
  maxKeptBytes: 100_000_000,
  maxMs: 60_000,
};

export function list(files: Files, path: string, options: Partial<ListOptions> = {}): Promise<Listing> {
  return files.list(path, { ...everything, ...options });
}

/** Paths from the listed folder on, in order, a folder's with a slash behind, a link's with what is written in it. */
export function pathsIn({ path, folders }: Listing): string[] {
  return folders.flatMap((folder) => folder.entries.map((entry) => `${wayFrom(path, folder)}${spelled(entry)}`));
}

function wayFrom(top: string, { path }: ListedFolder): string {
  return path === top ? "" : `${path.slice(top === "/" ? 1 : top.length + 1)}/`;
}

function spelled({ name, type, target, problem }: ListedFolder["entries"][number]): string {
  const mark = type === "dir" ? "/" : target === undefined ? "" : ` -> ${target}`;
  return `${name}${mark}${problem === undefined ? "" : ` (${problem})`}`;
}

/** A signal that says each time whether it is aborted by now: before each call to the kernel it is asked. */
export function watchedSignal(isAborted: (looks: number) => boolean): { signal: AbortSignal; looks: () => number } {
  const { signal } = new AbortController();
  let looks = 0;
  Object.defineProperty(signal, "aborted", { get: () => isAborted((looks += 1)) });
  return { signal, looks: () => looks };
}
