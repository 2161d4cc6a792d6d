import { header } from "../../../answer/header.js";
import type { Entry } from "./entry.js";
import { counted, grouped, line } from "../../../answer/line.js";

export interface ListResult {
  readonly path: string;
  readonly entries: readonly Entry[];
  readonly truncated: boolean;
  readonly handle?: string | null | undefined;
  readonly total_entries: number;
  readonly hidden?: number | undefined;
  readonly ignored?: number | undefined;
  readonly folders_not_entered?: number | undefined;
}

/** One header line, then a tree: what lies in a folder stands below it, two spaces further in. */
export function renderList(result: ListResult, { depth }: { depth: number }): string {
  const lines = new TreeLines(result).all();
  return [header(result.path, notes(result, depth)), ...lines].join("\n");
}

function notes(result: ListResult, depth: number): string[] {
  const { entries, total_entries: total, hidden, ignored, folders_not_entered: missed, handle, truncated } = result;
  const all = `${missed === undefined ? "" : "at least "}${counted(total)}`;
  const told = [entries.length === total ? all : `${grouped(entries.length)} of ${all}`, `depth ${depth}`];
  if (hidden !== undefined) told.push(`${grouped(hidden)} hidden (include_hidden)`);
  if (ignored !== undefined) told.push(`${grouped(ignored)} ignored`);
  if (missed !== undefined) told.push(`${grouped(missed)} folders not entered: list them themselves`);
  if (!truncated || entries.length === total) return told;
  const isFolded = entries.some((entry) => entry.folded_entries !== undefined);
  told.push(`more: ${isFolded ? "list a folder with —, or " : ""}file_glob, max_entries`);
  told.push(typeof handle === "string" ? `all: ${handle}` : "too many for a handle");
  return told;
}

class TreeLines {
  readonly #base: number;
  readonly #below = new Map<string, Entry[]>();
  readonly #lines: string[] = [];

  constructor({ path, entries }: ListResult) {
    this.#base = path === "/" ? 1 : path.length + 1;
    for (const entry of entries) {
      const folder = folderOf(this.#way(entry));
      const siblings = this.#below.get(folder);
      if (siblings === undefined) this.#below.set(folder, [entry]);
      else siblings.push(entry);
    }
  }

  all(): readonly string[] {
    this.#add("", 0);
    // What a glob matched in folders that are no entries themselves.
    for (const folder of this.#below.keys()) {
      this.#lines.push(line({ name: folder, type: "dir" }));
      this.#add(folder, 1);
    }
    return this.#lines;
  }

  #add(folder: string, indent: number): void {
    const entries = this.#below.get(folder) ?? [];
    this.#below.delete(folder);
    for (const entry of entries) {
      const way = this.#way(entry);
      this.#lines.push("  ".repeat(indent) + line(factsOf(entry, way.slice(way.lastIndexOf("/") + 1))));
      if (entry.type === "dir") this.#add(way, indent + 1);
    }
  }

  #way({ path }: Entry): string {
    return path.slice(this.#base);
  }
}

function folderOf(way: string): string {
  return way.slice(0, Math.max(0, way.lastIndexOf("/")));
}

function factsOf({ type, size_bytes, target, error, folded_entries }: Entry, name: string) {
  return { name, type, size: size_bytes, target, problem: error, folded: folded_entries };
}
