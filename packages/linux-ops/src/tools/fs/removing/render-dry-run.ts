import { header } from "../../../answer/header.js";
import { counted, grouped, humanSize, line } from "../../../answer/line.js";

export interface WouldRemove {
  readonly entries: number;
  readonly bytes: number;
  readonly names: readonly string[];
  readonly folders?: readonly { readonly name: string; readonly entries: number }[] | undefined;
}

/** Most lines of entries directly in the path. */
const SHOWN = 20;

/** Writes one header line, then the entries directly in the path: folders with their counts, then files. */
export function renderDryRun(path: string, { entries, bytes, names, folders = [] }: WouldRemove): string {
  const counts = new Map(folders.map((folder) => [folder.name, folder.entries]));
  const direct = names.filter((name) => !name.slice(0, -1).includes("/"));
  const isFolder = (name: string): boolean => name.endsWith("/");
  const shown = [...direct.filter(isFolder), ...direct.filter((name) => !isFolder(name))].slice(0, SHOWN);
  const lines = shown.map((name) =>
    isFolder(name)
      ? line({ name: name.slice(0, -1), type: "dir", folded: counts.get(name) })
      : line({ name, type: "file" }),
  );
  // The path itself counts as one entry.
  const rest = entries - 1 - shown.reduce((sum, name) => sum + 1 + (counts.get(name) ?? 0), 0);
  const more = rest > 0 ? [`…and ${grouped(rest)} more`] : [];
  const note = `dry run: ${counted(entries)} would go, ${humanSize(bytes)} on disk`;
  return [header(path, [note]), ...lines, ...more].join("\n");
}
