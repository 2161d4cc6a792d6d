import type { Hit, HitFile } from "../query/content-query.js";
import { Best, best, type Pace } from "./best.js";
import { isImport } from "./definition.js";
import { LIKELY, PARTLY } from "./definition-forms.js";
import { compareFiles, type FileRank } from "./file-rank.js";

/** A hit that may be shown. */
export interface Candidate {
  readonly file: HitFile;
  readonly hit: Hit;
  readonly isDefinition: boolean;
}

export interface PickOptions {
  readonly count: number;
  /** The caller said in which order files come: then that is the order. */
  readonly keepOrder: boolean;
  /** The pattern, where it is just a word: a name that is spelled the same goes before one of another case. */
  readonly word: string | undefined;
  /** How surely each hit of a file defines what was looked for. */
  readonly scoresOf: (file: HitFile) => readonly number[];
  readonly rankOf: (file: HitFile) => FileRank;
  /** Returns a line without numbers, ids and addresses. */
  readonly templateOf: (line: string) => string;
  readonly pace: Pace;
}

/** Of what may be shown, that which defines something gets so much: a pattern may match nothing but definitions. */
const DEFINITIONS_SHARE = 0.6;
const LESS_FOR_KIND = 0.9;
const MORE_FOR_SPELLING = 0.5;

interface Ranked {
  readonly file: HitFile;
  readonly rank: FileRank;
}

interface Definition extends Ranked {
  readonly hit: Hit;
  /** Not just of a longer name that holds what matched. */
  readonly isWhole: boolean;
  readonly weight: number;
}

/** The hits to show, the most telling first: what defines the thing, then by turns one of each file. */
export async function pick(files: readonly HitFile[], options: PickOptions): Promise<Candidate[]> {
  const { count, keepOrder, rankOf, templateOf, pace } = options;
  const ranked = files.map((file) => ({ file, rank: rankOf(file) }));
  const definitions = keepOrder ? [] : await definitionsIn(ranked, options);
  const picked = new Set(definitions.map(({ hit }) => hit));
  const order = keepOrder
    ? ranked.slice(0, count)
    : await best(ranked, count, (a, b) => compareFiles(a.rank, b.rank), pace);
  return [
    ...definitions.map(({ file, hit, isWhole }) => ({ file, hit, isDefinition: isWhole })),
    ...byTurns(order, picked, { count: count - definitions.length, templateOf }),
  ];
}

async function definitionsIn(
  files: readonly Ranked[],
  { count, word, scoresOf, pace }: PickOptions,
): Promise<Definition[]> {
  const most = Math.ceil(count * DEFINITIONS_SHARE);
  const found = new Best<Definition>(most, compareDefinitions);
  for (const { file, rank } of files) {
    const scores = scoresOf(file);
    for (let nth = 0; nth < file.hits.length; nth += 1) {
      if (pace.due()) await pace.rest();
      const hit = file.hits[nth] as Hit;
      const score = scores[nth] ?? 0;
      if (score === 0) continue;
      const isWhole = score >= LIKELY;
      const weight =
        score - rank.kind * LESS_FOR_KIND + (score > PARTLY && isSpelled(hit, word) ? MORE_FOR_SPELLING : 0);
      // Nearly all hits may define something: of most nothing is kept.
      if (weight >= (found.last?.weight ?? weight)) found.offer({ file, rank, hit, isWhole, weight });
    }
  }
  return found.items;
}

function compareDefinitions(a: Definition, b: Definition): number {
  return b.weight - a.weight || compareFiles(a.rank, b.rank) || a.hit.line - b.hit.line;
}

function isSpelled({ text, spans }: Hit, word: string | undefined): boolean {
  return word !== undefined && spans.some(([from, to]) => text.slice(from, to) === word);
}

/** Keeps the odd lines among many that differ only in numbers. */
function oddFirst(hits: readonly Hit[], { compared, templateOf }: Telling): readonly Hit[] {
  if (compared === 0) return hits;
  const templates = new Set<string>();
  const ends = hits.length > 2 * compared ? [...hits.slice(0, compared), ...hits.slice(-compared)] : hits;
  const odd = ends.filter(({ text }) => {
    const { size } = templates;
    return templates.add(templateOf(text)).size > size;
  });
  const taken = new Set(odd);
  return [...odd, ...hits.filter((hit) => !taken.has(hit))];
}

/** Most hits of all files that are compared, because a comparison takes some microseconds. */
const MOST_COMPARED = 1000;

interface Turns {
  readonly count: number;
  readonly templateOf: PickOptions["templateOf"];
}

interface Telling extends Turns {
  /** Hits at the beginning and at the end of the file that are compared. */
  readonly compared: number;
}

/** One hit of each file, then a second one … In a file what imports the thing comes last. */
function byTurns(files: readonly Ranked[], picked: ReadonlySet<Hit>, turns: Turns): Candidate[] {
  const { count } = turns;
  const compared = Math.floor(MOST_COMPARED / files.length);
  const queues = files.map(({ file }) => ({ file, hits: telling(file, picked, { ...turns, compared }) }));
  const candidates: Candidate[] = [];
  for (let turn = 0; candidates.length < count; turn += 1) {
    const before = candidates.length;
    for (const { file, hits } of queues) {
      const hit = hits[turn];
      if (hit !== undefined && candidates.length < count) candidates.push({ file, hit, isDefinition: false });
    }
    if (candidates.length === before) break;
  }
  return candidates;
}

function telling({ hits }: HitFile, picked: ReadonlySet<Hit>, options: Telling): Hit[] {
  const { count } = options;
  const others = hits.filter((hit) => !picked.has(hit));
  const first = (others.length > count ? oddFirst(others, options) : others).slice(0, count);
  return [...first.filter(({ text }) => !isImport(text)), ...first.filter(({ text }) => isImport(text))];
}
