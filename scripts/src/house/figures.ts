import { folderCycles } from "./folder-cycles.js";
import { reach } from "./reach.js";
import type { PackageSources, Source } from "./sources.js";
import { linesThatNameTools } from "./tool-words.js";

/** Figures of one package. Sizes are lines. */
export interface Figures {
  readonly dir: string;
  readonly files: number;
  readonly lines: number;
  readonly p50: number;
  readonly p90: number;
  readonly max: number;
  /** Lines that one file needs inside its package: its own and those of every file it imports, directly or not. */
  readonly closureP50: number;
  readonly closureP90: number;
  readonly cycles: readonly string[];
  /** Lines of code with a word of the tool surface, in a package that must not have any. */
  readonly toolWords: number;
}

/** Bounds of every package. */
export const BOUNDS = { lines: 9000, closureP50: 800, closureP90: 2500 } as const;

export function figuresOf({ dir, files }: PackageSources): Figures {
  const sizes = ascending(files.map(({ lines }) => lines));
  const closures = ascending(closureSizes(files));
  return {
    dir,
    files: files.length,
    lines: sum(sizes),
    p50: quantile(sizes, 0.5),
    p90: quantile(sizes, 0.9),
    max: sizes.at(-1) ?? 0,
    closureP50: quantile(closures, 0.5),
    closureP90: quantile(closures, 0.9),
    cycles: folderCycles(files),
    toolWords: linesThatNameTools(dir, files).length,
  };
}

/** One sentence for every bound that a package does not keep. */
export function houseProblems({ dir, cycles, ...figures }: Figures): string[] {
  const { lines, closureP50, closureP90 } = figures;
  const over = (bound: keyof typeof BOUNDS, text: string) =>
    figures[bound] > BOUNDS[bound] ? [`${dir}: ${text}`] : [];
  return [
    ...over("lines", `${lines} lines, at most ${BOUNDS.lines}: part of it is a package of its own.`),
    ...over("closureP50", `half of its files need ${closureP50} lines or more, at most ${BOUNDS.closureP50}.`),
    ...over("closureP90", `a tenth of its files need ${closureP90} lines or more, at most ${BOUNDS.closureP90}.`),
    ...cycles.map((cycle) => `${dir}: the folders ${cycle} import each other.`),
  ];
}

function closureSizes(files: readonly Source[]): number[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return files.map(({ path }) => {
    const needed = reach(path, (from) => byPath.get(from)?.imports ?? []).add(path);
    return sum([...needed].map((one) => byPath.get(one)?.lines ?? 0));
  });
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b);

/** The value below which the share `q` of the values lies. */
function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}
