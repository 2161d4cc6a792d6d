import { asIs, made, type Grammar, type Piece } from "../shape/piece.js";
import { groupBy } from "../shape/group-by.js";

/** path:12:text or path:12-text (a line around a hit), path:text without numbers. */
const HIT = /^(?<path>[^\s:][^:\n]*?)(?<mark>[:-])(?<line>\d+)\k<mark>(?<text>.*)$/;
const DEFINES =
  /^\s*(?:export\s+)?(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:async\s+)?(?:static\s+)?(?:def|class|function|fn|func|struct|enum|trait|interface|type|const|#define|impl|module|exports\.\w+ =|module\.exports)\b/;
/** Characters that all hits may take together. */
const ROOM = 4500;
const LONG_LINE = 160;

interface Hit {
  readonly path: string;
  readonly line: string;
  readonly text: string;
  readonly isAround: boolean;
  readonly isDefinition: boolean;
}

/** Hits of a search: each path once; in a long list definitions and the first hits whole, others by their lines. */
export const search: Grammar = (lines) => {
  const hits: Hit[] = [];
  const rest: string[] = [];
  for (const line of lines) {
    const found = HIT.exec(line)?.groups;
    if (found !== undefined) {
      const { path = "", text = "" } = found;
      const isAround = found["mark"] === "-";
      hits.push({ path, line: found["line"] ?? "", text, isAround, isDefinition: !isAround && DEFINES.test(text) });
    } else if (line !== "--" && line.trim() !== "") rest.push(line);
  }
  const real = hits.filter(({ isAround }) => !isAround);
  if (real.length < 5) return undefined;
  const files = groupBy(hits, ({ path }) => path);
  const head = made(`${real.length} lines in ${files.size} files`);
  for (const each of [Infinity, 8, 4, 2, 1, 0]) {
    if (leastSize(files, each) > ROOM) continue;
    const pieces = [...files].flatMap(([path, some]) => fileLines(path, some, each));
    const size = pieces.reduce((sum, { text }) => sum + text.length, 0);
    if (size <= ROOM) return [head, ...pieces, ...rest.map(asIs)];
  }
  const definitions = real.filter(({ isDefinition }) => isDefinition).slice(0, 10);
  const [first, last] = [real[0], real.at(-1)];
  const named = [...new Set([first, ...definitions, last])].flatMap((hit) =>
    hit === undefined ? [] : [made(`${hit.path}:${hit.line}:${cut(hit.text)}`, 1)],
  );
  const most = [...files].toSorted(([, one], [, other]) => other.length - one.length).slice(0, 60);
  return [head, ...named, ...most.map(([path, some]) => made(`${path}: ${some.length}`)), ...rest.map(asIs)];
};

/** Characters that so many hits of each file take at least: a line, its number, and two marks. */
function leastSize(files: ReadonlyMap<string, readonly Hit[]>, each: number): number {
  return [...files].reduce((sum, [path, { length }]) => sum + path.length + 3 * Math.min(length, each), 0);
}

function fileLines(path: string, hits: readonly Hit[], max: number): Piece[] {
  const isShown = hits.map((hit, at) => at < max || (max > 0 && hit.isDefinition));
  const shown = hits.filter((_, at) => isShown[at]);
  const others = hits.filter(({ isAround }, at) => isShown[at] === false && !isAround);
  const texts = shown.map(({ line, text, isAround }) => made(` ${line}${isAround ? "-" : ":"}${cut(text)}`, 1));
  const numbers = others.slice(0, 12).map(({ line }) => line);
  const more = others.length > numbers.length ? ` … (${others.length})` : "";
  if (texts.length === 0) return [made(`${path}: ${numbers.join(", ")}${more}`)];
  return [made(path), ...texts, ...(others.length === 0 ? [] : [made(` also ${numbers.join(", ")}${more}`)])];
}

function cut(text: string): string {
  const trimmed = text.replace(/^\s+/, " ");
  return trimmed.length <= LONG_LINE ? trimmed : `${trimmed.slice(0, LONG_LINE)}… (${trimmed.length})`;
}
