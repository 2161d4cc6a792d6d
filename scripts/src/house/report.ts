import { columns } from "../columns.js";
import type { Report } from "../report.js";
import { figuresOf, houseProblems, type Figures } from "./figures.js";
import { readSources } from "./sources.js";
import { linesThatNameTools } from "./tool-words.js";

const HEAD = ["package", "files", "lines", "p50", "p90", "max", "closure p50", "p90", "names tools", "folder cycles"];

/** Figures of every package below `root`, and the bounds that are not kept. */
export function houseReport(root: string): Report {
  const figures = readSources(root).map(figuresOf);
  return {
    table: columns([HEAD, ...figures.map(row)]),
    packages: figures.length,
    problems: figures.flatMap(houseProblems),
  };
}

function row({ dir, cycles, ...rest }: Figures): string[] {
  const { files, lines, p50, p90, max, closureP50, closureP90, toolWords } = rest;
  const counts = [files, lines, p50, p90, max, closureP50, closureP90, toolWords];
  return [dir, ...counts.map(String), cycles.join(" ") || "-"];
}

/** Each line that the column "names tools" counts, as `path:line`. */
export function linesWithToolWords(root: string): string[] {
  return readSources(root).flatMap(({ dir, files }) =>
    linesThatNameTools(dir, files).map((line) => `${dir}/src/${line}`),
  );
}
