import { Spending, type Budget } from "../../../answer/budget.js";
import { line } from "../../../answer/line.js";
import type { Entry } from "./entry.js";

export interface LayOutOptions {
  readonly budget: Pick<Budget, "tokens" | "bytes">;
  /** Most entries of a subfolder that is opened. */
  readonly opened: number;
  /** Shows the size of each file, not only of large and empty files. */
  readonly sizes: boolean;
}

export interface ShownTree {
  readonly lines: readonly string[];
  /** Entries with a line of their own. */
  readonly count: number;
  /** Entries counted in the lines of folded folders. */
  readonly folded: number;
}

/** Size from which a file counts as large. */
const LARGE_BYTES = 64 * 1024;

/** Writes entries as lines: the entries of a folder stand below it, or its line counts them. */
export function layOut(path: string, entries: readonly Entry[], options: LayOutOptions): ShownTree {
  const tree = new Tree(path, entries, options);
  tree.open();
  return tree.lines();
}

class Tree {
  readonly #options: LayOutOptions;
  readonly #base: number;
  readonly #below = new Map<string, Entry[]>();
  /** Shown entries by the path of their folder. */
  readonly #shown = new Map<string, readonly Entry[]>();
  /** The listed folder, and folders that a glob did not match although it matched entries in them. */
  readonly #tops: readonly string[];

  constructor(path: string, entries: readonly Entry[], options: LayOutOptions) {
    this.#options = options;
    this.#base = path === "/" ? 1 : path.length + 1;
    for (const entry of entries) {
      const folder = folderOf(this.#wayOf(entry));
      const siblings = this.#below.get(folder);
      if (siblings === undefined) this.#below.set(folder, [entry]);
      else siblings.push(entry);
    }
    const folders = new Set(entries.filter(({ type }) => type === "dir").map((entry) => this.#wayOf(entry)));
    this.#tops = ["", ...this.#below.keys()].filter((way, at) => at === 0 || (way !== "" && !folders.has(way)));
  }

  /** Opens folders level by level while there is room, small ones first, so that most of them are seen. */
  open(): void {
    const left = new Spending(this.#options.budget);
    for (const way of this.#tops) this.#shown.set(way, this.#first(way, left));
    for (let level = this.#tops; level.length > 0;) {
      const below = level.flatMap((way) => this.#shown.get(way) ?? []).filter((entry) => this.#mayOpen(entry));
      const ways = below.map((entry) => this.#wayOf(entry));
      for (const way of ways.toSorted((a, b) => this.#in(a).length - this.#in(b).length))
        if (left.takes(this.#in(way).map((entry) => this.#lineOf(entry)))) this.#shown.set(way, this.#in(way));
      level = ways.filter((way) => this.#shown.has(way));
    }
  }

  lines(): ShownTree {
    const lines: string[] = [];
    let [count, folded] = [0, 0];
    const add = (folder: string, indent: number): void => {
      for (const entry of this.#shown.get(folder) ?? []) {
        const way = this.#wayOf(entry);
        const isOpen = this.#shown.has(way);
        const held = isOpen ? 0 : this.#heldBy(entry);
        lines.push("  ".repeat(indent) + this.#lineOf(entry, held));
        count += 1;
        folded += held;
        if (isOpen) add(way, indent + 1);
      }
    };
    for (const top of this.#tops) {
      if (top !== "" && this.#shown.get(top)?.length !== 0) lines.push(line({ name: top, type: "dir" }));
      add(top, top === "" ? 0 : 1);
    }
    return { lines, count, folded };
  }

  #first(way: string, left: Spending): readonly Entry[] {
    const entries = this.#in(way);
    const end = entries.findIndex((entry) => !left.takes([this.#lineOf(entry, this.#heldBy(entry))]));
    return end === -1 ? entries : entries.slice(0, end);
  }

  #mayOpen(entry: Entry): boolean {
    const { length } = this.#in(this.#wayOf(entry));
    return length > 0 && length <= this.#options.opened && (entry.folded_entries ?? 0) === 0;
  }

  /** Counts entries in and below a folder, also those that the answer leaves out. */
  #heldBy(entry: Entry): number {
    const below = this.#in(this.#wayOf(entry));
    return below.reduce((sum, each) => sum + 1 + this.#heldBy(each), entry.folded_entries ?? 0);
  }

  #lineOf(entry: Entry, folded = 0): string {
    const { type, size_bytes, target, error } = entry;
    const way = this.#wayOf(entry);
    const size = this.#options.sizes || size_bytes === 0 || (size_bytes ?? 0) >= LARGE_BYTES ? size_bytes : undefined;
    return line({ name: way.slice(way.lastIndexOf("/") + 1), type, size, target, problem: error, folded });
  }

  #in(way: string): readonly Entry[] {
    return this.#below.get(way) ?? [];
  }

  #wayOf({ path }: Entry): string {
    return path.slice(this.#base);
  }
}

function folderOf(way: string): string {
  return way.slice(0, Math.max(0, way.lastIndexOf("/")));
}
