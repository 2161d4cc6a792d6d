import type { Hit, HitFile } from "../query/content-query.js";
import { numbersOf, ownLines, shownText, windowOf, type Lines, type Width } from "./lines.js";
import type { Candidate } from "./pick.js";

export interface ArrangeOptions {
  /** Lines around each hit. */
  readonly width: Width;
  /** Bytes of all lines together; the first hit is there in any case. */
  readonly maxBytes: number;
  /** Reads the lines around hits; a file is missing where they could not be read. */
  readonly read: (wanted: ReadonlyMap<HitFile, readonly Hit[]>) => Promise<ReadonlyMap<HitFile, Lines>>;
}

/** What is shown of a file. */
export interface ShownFile {
  readonly file: HitFile;
  readonly hits: ReadonlySet<Hit>;
  /** Of all lines, those around hits too. */
  readonly numbers: ReadonlySet<number>;
  readonly lines: Lines;
}

/** Puts lines around candidates, as many of them as the bytes allow: in the order in which they matter. */
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

/** What is on the way to be shown. */
class Page {
  readonly #files = new Map<HitFile, Filled>();
  #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** False where there is no room for it any more; the first one always has room. */
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
