import type { Bytes } from "@llmc/names";

export interface NamesRoom {
  /** What each name costs beside its own length. */
  readonly bytesBeside: number;
  /** Up to here all are kept. */
  readonly forAll: number;
  /** What the first of them may take where all are too many. */
  readonly forSome: number;
}

/**
 * The names of one folder, or those that come first, however many it has: folders before the rest, each by its bytes.
 * A million names cost no more memory than what can be kept of them, and are never sorted in one go.
 */
export class FirstNames {
  readonly #bytesBeside: number;
  readonly #forSome: number;
  readonly #folders = new SortedNames();
  readonly #others = new SortedNames();
  #most: number;
  #bytes = 0;
  #count = 0;
  #kept = 0;

  constructor({ bytesBeside, forAll, forSome }: NamesRoom) {
    this.#bytesBeside = bytesBeside;
    this.#most = forAll;
    this.#forSome = forSome;
  }

  add(name: Bytes, isFolder: boolean): void {
    this.#count += 1;
    if (!(isFolder ? this.#folders : this.#others).add(name)) return;
    this.#kept += 1;
    this.#bytes += this.#bytesBeside + name.length;
    if (this.#bytes > this.#most) this.#cut();
  }

  /** All that were added, kept or not. */
  get count(): number {
    return this.#count;
  }

  /** Those that are not kept. */
  get lost(): number {
    return this.#count - this.#kept;
  }

  /** What those cost that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  folders(): Iterable<Bytes> {
    return this.#folders.inOrder();
  }

  others(): Iterable<Bytes> {
    return this.#others.inOrder();
  }

  #cut(): void {
    // Twice as much before the next cut: to cut for each name would take for ever.
    this.#most = 2 * this.#forSome;
    this.#bytes = 0;
    this.#kept = 0;
    const fits = (name: Bytes): boolean => {
      const bytes = this.#bytesBeside + name.length;
      if (this.#bytes + bytes > this.#forSome) return false;
      this.#bytes += bytes;
      this.#kept += 1;
      return true;
    };
    if (this.#folders.keepWhile(fits)) this.#others.keepWhile(fits);
    else this.#others.drop();
  }
}

const CHUNK = 4096;

class SortedNames {
  #chunks: Bytes[][] = [];
  #fresh: Bytes[] = [];
  /** From this name on none is taken. */
  #end: Bytes | undefined;

  add(name: Bytes): boolean {
    if (this.#end !== undefined && name >= this.#end) return false;
    this.#fresh.push(name);
    if (this.#fresh.length === CHUNK) this.#settle();
    return true;
  }

  drop(): void {
    this.#chunks = [];
    this.#fresh = [];
    this.#end = "";
  }

  /** The first ones up to one that is refused; whether none ever was. */
  keepWhile(fits: (name: Bytes) => boolean): boolean {
    const kept: Bytes[] = [];
    for (const name of this.inOrder()) {
      if (fits(name)) kept.push(name);
      else {
        this.#end = name;
        break;
      }
    }
    this.#chunks = kept.length === 0 ? [] : [kept];
    return this.#end === undefined;
  }

  *inOrder(): Generator<Bytes> {
    this.#settle();
    const heads = this.#chunks.map((names) => ({ names, at: 0 }));
    while (heads.length > 1) {
      const least = heads.reduce((a, b) => ((a.names[a.at] as Bytes) <= (b.names[b.at] as Bytes) ? a : b));
      yield least.names[least.at] as Bytes;
      if ((least.at += 1) === least.names.length) heads.splice(heads.indexOf(least), 1);
    }
    for (const { names, at } of heads) yield* names.slice(at);
  }

  #settle(): void {
    if (this.#fresh.length > 0) this.#chunks.push(this.#fresh.sort());
    this.#fresh = [];
  }
}
