import type { Hit, HitFile } from "@llmc/te-search";
import { estimateTokens } from "@llmc/toolkit";
import type { LinuxOpsContext } from "../context.js";
import { readAround, type LineRange, type Lines } from "./around.js";
import { isImport } from "./definition.js";
import { ownLines, shownText, windowOf, type Width } from "./lines.js";
import type { Candidate } from "./pick.js";

/** What an answer may hold of hits. */
export interface HitBudget {
  readonly tokens: number;
  readonly bytes: number;
}

export interface ArrangeOptions {
  readonly budget: HitBudget;
  /** Lines around hits: the first of these with which all hits fit, else the last. */
  readonly widths: readonly [Width, ...Width[]];
  /** Whether that is ours to choose: then hits that tell little have nothing around them. */
  readonly sparing: boolean;
  readonly maxLineChars: number;
  readonly until: number;
}

/** What is shown of a file. */
export interface ShownFile {
  readonly file: HitFile;
  readonly hits: ReadonlySet<Hit>;
  /** Of all lines, those around hits too. */
  readonly numbers: ReadonlySet<number>;
  readonly lines: Lines;
}

export interface Arranged {
  /** In the order of the candidates. */
  readonly files: readonly ShownFile[];
  /** Lines around hits, as they came to be. */
  readonly width: Width;
}

/** So many of what defines the thing keep what stands around it where the rest has to do without. */
const DEFINITIONS_WITH_CONTEXT = 3;

/** How many of the candidates fit, with how much around them. They come in the order in which they matter. */
export async function arrange(
  candidates: readonly Candidate[],
  options: ArrangeOptions,
  context: LinuxOpsContext,
): Promise<Arranged> {
  const { widths, budget, sparing } = options;
  const reader = new Reader(options, context);
  for (const [index, width] of widths.entries()) {
    const isLast = index === widths.length - 1;
    const widthOf = widthsFor(candidates, { width, ofDefinitions: isLast ? widths[0] : width, sparing });
    const wanted = likelyToFit(candidates, widthOf, budget);
    if (wanted.length < candidates.length && !isLast) continue;
    await reader.read(wanted, widthOf);
    const page = new Page(budget, reader);
    const fitting = wanted.findIndex((candidate) => !page.add(candidate, widthOf(candidate)));
    if (fitting === -1 && wanted.length === candidates.length) return { files: page.files(), width };
    if (isLast) return { files: page.files(), width };
  }
  throw new TypeError("there are no widths");
}

type WidthOf = (candidate: Candidate) => Width;

interface Widths {
  readonly width: Width;
  readonly ofDefinitions: Width;
  readonly sparing: boolean;
}

function widthsFor(candidates: readonly Candidate[], { width, ofDefinitions, sparing }: Widths): WidthOf {
  const few = new Set(candidates.filter(({ isDefinition }) => isDefinition).slice(0, DEFINITIONS_WITH_CONTEXT));
  return (candidate) => {
    if (few.has(candidate)) return ofDefinitions;
    return sparing && isImport(candidate.hit.text) ? NOTHING : width;
  };
}

const NOTHING: Width = { before: 0, after: 0 };

/** A guess that spares reads: lines around a hit are about as long as the hits are. At least one hit stays. */
function likelyToFit(candidates: readonly Candidate[], widthOf: WidthOf, { tokens }: HitBudget): readonly Candidate[] {
  const seen = new Map<HitFile, Set<number>>();
  let cost = 0;
  const end = candidates.findIndex((candidate, index) => {
    const { file, hit } = candidate;
    const numbers = seen.get(file) ?? new Set();
    seen.set(file, numbers);
    const fresh = numbersOf(windowOf(hit, widthOf(candidate))).filter((number) => !numbers.has(number));
    for (const number of fresh) numbers.add(number);
    cost += costOf(hit.line, shownText(hit)).tokens * fresh.length * GUESS;
    return cost > tokens && index > 0;
  });
  return end === -1 ? candidates : candidates.slice(0, end);
}

/** Better to read a little in vain than to show less than fits. */
const GUESS = 0.6;

/** Reads each file's lines once for a width and keeps them. */
class Reader {
  readonly #options: ArrangeOptions;
  readonly #context: LinuxOpsContext;
  readonly #lines = new Map<HitFile, Lines>();

  constructor(options: ArrangeOptions, context: LinuxOpsContext) {
    this.#options = options;
    this.#context = context;
  }

  linesOf(file: HitFile): Lines {
    return this.#lines.get(file) ?? NONE;
  }

  async read(candidates: readonly Candidate[], widthOf: WidthOf): Promise<void> {
    const ranges = new Map<HitFile, LineRange[]>();
    for (const candidate of candidates) {
      const { before, after } = widthOf(candidate);
      if (before + after === 0 || this.#lines.has(candidate.file)) continue;
      const ofFile = ranges.get(candidate.file) ?? [];
      ofFile.push(windowOf(candidate.hit, { before, after }));
      ranges.set(candidate.file, ofFile);
    }
    for (const [file, ofFile] of ranges) {
      ofFile.sort((a, b) => a.from - b.from);
      this.#lines.set(file, await readAround(file, ofFile, this.#options, this.#context));
    }
  }
}

const NONE: Lines = new Map();

/** What is on the way to be shown, within a budget. */
class Page {
  readonly #reader: Reader;
  readonly #files = new Map<HitFile, { readonly hits: Set<Hit>; readonly numbers: Set<number> }>();
  #tokens: number;
  #bytes: number;

  constructor({ tokens, bytes }: HitBudget, reader: Reader) {
    this.#tokens = tokens;
    this.#bytes = bytes;
    this.#reader = reader;
  }

  /** False where there is no room for it any more; the first one always has room. */
  add({ file, hit }: Candidate, width: Width): boolean {
    const shown = this.#files.get(file);
    const lines = this.#reader.linesOf(file);
    const fresh = aroundOnly(hit, width).filter((number) => lines.has(number) && shown?.numbers.has(number) !== true);
    const costs = fresh.map((number) => costOf(number, lines.get(number) ?? ""));
    if (
      !this.#spend([costOf(hit.line, shownText(hit)), ...(shown === undefined ? [costOf(0, file.path)] : []), ...costs])
    )
      return false;
    const { hits, numbers } = shown ?? { hits: new Set(), numbers: new Set() };
    if (shown === undefined) this.#files.set(file, { hits, numbers });
    hits.add(hit);
    for (const number of [...numbersOf(ownLines(hit)), ...fresh]) numbers.add(number);
    return true;
  }

  files(): ShownFile[] {
    return Array.from(this.#files, ([file, shown]) => ({ file, ...shown, lines: this.#reader.linesOf(file) }));
  }

  #spend(costs: readonly Cost[]): boolean {
    const tokens = sum(costs.map((cost) => cost.tokens));
    const bytes = sum(costs.map((cost) => cost.bytes));
    if (this.#files.size > 0 && (tokens > this.#tokens || bytes > this.#bytes)) return false;
    this.#tokens -= tokens;
    this.#bytes -= bytes;
    return true;
  }
}

interface Cost {
  readonly tokens: number;
  readonly bytes: number;
}

function costOf(number: number, text: string): Cost {
  const line = `${number}: ${text}\n`;
  return { tokens: estimateTokens(line), bytes: Buffer.byteLength(line) };
}

function aroundOnly(hit: Hit, width: Width): number[] {
  const own = ownLines(hit);
  return numbersOf(windowOf(hit, width)).filter((number) => number < own.from || number > own.to);
}

function numbersOf({ from, to }: LineRange): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
