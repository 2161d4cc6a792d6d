import type { Hit, HitFile } from "../../src/index.js";

/** A line that matches `match`, as an engine tells it. */
export function hit(line: number, text: string, match: string, cut = { before: 0, after: 0 }): Hit {
  const from = text.indexOf(match);
  return { line, column: cut.before + from + 1, offset: 0, text, cut, spans: [[from, from + match.length]] };
}

/** A file of the root /r, with the lines in which `match` stands. */
export function file(way: string, match: string, lines: Readonly<Record<number, string>>): HitFile {
  const hits = Object.entries(lines).map(([line, text]) => hit(Number(line), text, match));
  return { way, path: `/r/${way}`, count: hits.length, hits };
}
