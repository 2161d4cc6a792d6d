import type { Hit, HitFile } from "../query/content-query.js";
import { numbersOf, ownLines, shownText, windowOf, type Lines, type Width } from "./lines.js";
import type { Candidate } from "./pick.js";

export interface ArrangeOptions {
  /** Number of lines around each hit. */
  readonly width: Width;
  /** Most bytes of all lines; the first hit is kept anyway. */
  readonly maxBytes: number;
  /** Reads the lines around hits; a file that cannot be read is missing in the result. */
  readonly read: (wanted: ReadonlyMap<HitFile, readonly Hit[]>) => Promise<ReadonlyMap<HitFile, Lines>>;
}

/** Chosen hits and lines of a file. */
export interface ShownFile {
  readonly file: HitFile;
  readonly hits: ReadonlySet<Hit>;
  /** Numbers of the hits' lines and the lines around them. */
  readonly numbers: ReadonlySet<number>;
  readonly lines: Lines;
}

/** Adds lines around candidates in order of importance, until `maxBytes` are used. */
export async function arrange(candidates: readonly Candidate[], options: ArrangeOptions): Promise<ShownFile[]> {
  const { width, maxBytes, read } = options;
  const lines = width.before + width.after === 0 ? undefined : await read(byFile(candidates));
  const page = new Page(maxBytes);
  for (const { file, hit } of candidates) if (!page.add(file, hit, width, lines?.get(file) ?? NONE)) break;
  return page.files();
}

function byFile(candidates: readonly Candidate[]): Map<HitFile, Hit[]> {
  const files = new Map<HitFile, Hit[]>();
  for (const { file, hit } of candidates) {
    const hits = files.get(file);
    if (hits === undefined) files.set(file, [hit]);
    else hits.push(hit);
  }
  return files;
}

const NONE: Lines = new Map();

interface Filled {
  readonly hits: Set<Hit>;
  readonly numbers: Set<number>;
  readonly lines: Lines;
}

/** Collects files, hits and lines within a number of bytes. */
class Page {
  readonly #files = new Map<HitFile, Filled>();
  #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Returns false if the hit does not fit; the first one always fits. */
  add(file: HitFile, hit: Hit, width: Width, lines: Lines): boolean {
    const shown = this.#files.get(file) ?? { hits: new Set(), numbers: new Set(), lines };
    const own = numbersOf(ownLines(hit));
    const around = numbersOf(windowOf(hit, width)).filter(
      (number) => lines.has(number) && !shown.numbers.has(number) && !own.includes(number),
    );
    const bytes = around.reduce((sum, number) => sum + sizeOf(lines.get(number) ?? ""), sizeOf(shownText(hit)));
    if (this.#files.size > 0 && bytes > this.#bytes) return false;
    this.#bytes -= bytes;
    shown.hits.add(hit);
    for (const number of [...own, ...around]) shown.numbers.add(number);
    this.#files.set(file, shown);
    return true;
  }

  files(): ShownFile[] {
    return Array.from(this.#files, ([file, shown]) => ({ file, ...shown }));
  }
}

function sizeOf(line: string): number {
  return Buffer.byteLength(line) + 1;
}
