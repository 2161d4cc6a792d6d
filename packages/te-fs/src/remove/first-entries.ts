import { type Bytes, displayPath } from "@llmc/names";

interface Entry {
  readonly depth: number;
  /** With all that leads to it. */
  readonly path: Bytes;
  readonly isFolder: boolean;
}

/** Of all names together, however few they may be. */
const MOST_BYTES = 8 * 1024;

/** The first entries of a tree: those nearest to its top, by name. A million of them cost no more than some do. */
export class FirstEntries {
  readonly #most: number;
  #kept: Entry[] = [];
  /** Once so many are known, what comes after this one is not taken. */
  #last: Entry | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  add(way: () => readonly Bytes[], isFolder: boolean): void {
    if (this.#most === 0) return;
    const names = way();
    if (this.#last !== undefined && names.length > this.#last.depth) return;
    const entry = { depth: names.length, path: names.join("/"), isFolder };
    if (this.#last !== undefined && inOrder(entry, this.#last) > 0) return;
    this.#kept.push(entry);
    if (this.#kept.length >= 2 * this.#most) this.#cut();
  }

  /** As people read them; folders end in a slash. */
  get names(): readonly string[] {
    this.#cut();
    const names: string[] = [];
    let bytes = 0;
    for (const { path, isFolder } of this.#kept) {
      const name = displayPath(path) + (isFolder ? "/" : "");
      bytes += Buffer.byteLength(name);
      if (bytes > MOST_BYTES) break;
      names.push(name);
    }
    return names;
  }

  #cut(): void {
    this.#kept = this.#kept.sort(inOrder).slice(0, this.#most);
    if (this.#kept.length === this.#most) this.#last = this.#kept.at(-1);
  }
}

function inOrder(a: Entry, b: Entry): number {
  if (a.depth !== b.depth) return a.depth - b.depth;
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
