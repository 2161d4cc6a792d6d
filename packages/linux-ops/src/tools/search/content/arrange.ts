import type { Hit, HitFile } from "@llmc/te-search";
import type { LinuxOpsContext } from "../../../context/context.js";
import { readAround, type LineRange, type Lines } from "./around.js";
import { costOf, Prices, sum, type Cost } from "./cost.js";
import { isImport } from "./definition.js";
import { numbersOf, ownLines, windowOf, type Width } from "./lines.js";
import { Outlook, SAMPLE } from "./outlook.js";
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

/** Files that are read at once: somebody else works while a disk is asked. */
const AT_ONCE = 4;
/** So many of what defines the thing keep what stands around it where the rest has to do without. */
const DEFINITIONS_WITH_CONTEXT = 3;

/** How many of the candidates fit, with how much around them. They come in the order in which they matter. */
export async function arrange(
  candidates: readonly Candidate[],
  options: ArrangeOptions,
  context: LinuxOpsContext,
): Promise<Arranged> {
  const { widths, budget, sparing } = options;
  const prices = new Prices();
  const last = widthsFor(candidates, { width: widths.at(-1) ?? NOTHING, ofDefinitions: widths[0], sparing });
  const reader = new Reader(options, context);
  try {
    for (const [index, width] of widths.entries()) {
      const isLast = index === widths.length - 1;
      const widthOf = isLast ? last : widthsFor(candidates, { width, ofDefinitions: width, sparing });
      // What is read in vain is not read again.
      reader.expect(candidates, (candidate) => wider(widthOf(candidate), last(candidate)));
      const page = new Page(budget, reader, prices);
      const outlook = isLast ? undefined : new Outlook(candidates, widthOf, { tokens: budget.tokens, prices });
      if ((await holdsAll(page, candidates, { widthOf, reader, outlook })) || isLast)
        return { files: page.files(), width };
    }
    throw new TypeError("there are no widths");
  } finally {
    await reader.end();
  }
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

function wider(one: Width, other: Width): Width {
  return { before: Math.max(one.before, other.before), after: Math.max(one.after, other.after) };
}

interface Filling {
  readonly widthOf: WidthOf;
  readonly reader: Reader;
  /** Without it as many as there is room for are wanted, not all. */
  readonly outlook: Outlook | undefined;
}

/** Puts them on the page until there is no room. What lies around them is read as it goes: where they do not fit, not all is. */
async function holdsAll(
  page: Page,
  candidates: readonly Candidate[],
  { widthOf, reader, outlook }: Filling,
): Promise<boolean> {
  if (outlook?.isHopeless(0) === true) return false;
  for (const [index, candidate] of candidates.entries()) {
    if (index === SAMPLE && outlook?.isHopeless(index, page) === true) return false;
    await reader.read(candidate.file);
    if (!page.add(candidate, widthOf(candidate))) return false;
  }
  return true;
}

/** Reads each file's lines once, those that will be asked for next along with them. */
class Reader {
  readonly #options: ArrangeOptions;
  readonly #context: LinuxOpsContext;
  readonly #ranges = new Map<HitFile, LineRange[]>();
  readonly #reading = new Map<HitFile, Promise<Lines>>();
  readonly #lines = new Map<HitFile, Lines>();

  constructor(options: ArrangeOptions, context: LinuxOpsContext) {
    this.#options = options;
    this.#context = context;
  }

  /** What will be asked for of the files that are still to be read. */
  expect(candidates: readonly Candidate[], widthOf: WidthOf): void {
    this.#ranges.clear();
    for (const candidate of candidates) {
      const { file, hit } = candidate;
      const width = widthOf(candidate);
      if (width.before + width.after === 0 || this.#lines.has(file) || this.#reading.has(file)) continue;
      const ofFile = this.#ranges.get(file);
      const range = windowOf(hit, width);
      if (ofFile === undefined) this.#ranges.set(file, [range]);
      else ofFile.push(range);
    }
  }

  linesOf(file: HitFile): Lines {
    return this.#lines.get(file) ?? NONE;
  }

  async read(file: HitFile): Promise<void> {
    if (this.#lines.has(file)) return;
    if (this.#ranges.has(file)) {
      this.#begin(file);
      for (const next of this.#ranges.keys()) {
        if (this.#reading.size >= AT_ONCE) break;
        this.#begin(next);
      }
    }
    const lines = await this.#reading.get(file);
    if (lines === undefined) return;
    this.#reading.delete(file);
    this.#lines.set(file, lines);
  }

  /** What was begun and is not wanted any more leaves nothing open. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#reading.values());
  }

  #begin(file: HitFile): void {
    const ranges = (this.#ranges.get(file) ?? []).sort((a, b) => a.from - b.from);
    this.#ranges.delete(file);
    const lines = readAround(file, ranges, this.#options, this.#context);
    // It is told of when the file is asked for.
    lines.catch(() => undefined);
    this.#reading.set(file, lines);
  }
}

const NONE: Lines = new Map();

/** What is on the way to be shown, within a budget. */
class Page {
  readonly #reader: Reader;
  readonly #prices: Prices;
  readonly #files = new Map<HitFile, { readonly hits: Set<Hit>; readonly numbers: Set<number> }>();
  #tokens: number;
  #bytes: number;
  /** Spent on lines around hits. */
  #around = { tokens: 0, lines: 0 };

  constructor({ tokens, bytes }: HitBudget, reader: Reader, prices: Prices) {
    this.#tokens = tokens;
    this.#bytes = bytes;
    this.#reader = reader;
    this.#prices = prices;
  }

  /** False where there is no room for it any more; the first one always has room. */
  add({ file, hit }: Candidate, width: Width): boolean {
    const shown = this.#files.get(file);
    const lines = this.#reader.linesOf(file);
    const fresh = aroundOnly(hit, width).filter((number) => lines.has(number) && shown?.numbers.has(number) !== true);
    const costs = fresh.map((number) => costOf(number, lines.get(number) ?? ""));
    const name = shown === undefined ? [this.#prices.ofName(file)] : [];
    if (!this.#spend([this.#prices.ofHit(hit), ...name, ...costs])) return false;
    const { hits, numbers } = shown ?? { hits: new Set(), numbers: new Set() };
    if (shown === undefined) this.#files.set(file, { hits, numbers });
    hits.add(hit);
    for (const number of [...numbersOf(ownLines(hit)), ...fresh]) numbers.add(number);
    this.#around = {
      tokens: this.#around.tokens + sum(costs.map(({ tokens }) => tokens)),
      lines: this.#around.lines + costs.length,
    };
    return true;
  }

  get tokensLeft(): number {
    return this.#tokens;
  }

  get around(): { readonly tokens: number; readonly lines: number } {
    return this.#around;
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

function aroundOnly(hit: Hit, width: Width): number[] {
  const own = ownLines(hit);
  return numbersOf(windowOf(hit, width)).filter((number) => number < own.from || number > own.to);
}
