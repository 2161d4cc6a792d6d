import type { ContentOptions, FoundFile, Hit } from "@llmc/te-search";
import { definitionScore } from "./definition.js";
import { fileRank, type FileRank } from "./file-rank.js";
import { bareHit } from "./snippets.js";

/** What can be said of a hit by itself, made out as it arrives: while the engine still searches, time costs nothing. */
export interface Harvest {
  readonly onHit: NonNullable<ContentOptions["onHit"]>;
  /** How surely it defines what was looked for. */
  scoreOf(hit: Hit): number;
  /** How far ahead of others the file is shown. */
  rankOf(file: FoundFile): FileRank;
  /** The hits of a file as they stand behind a handle, in JSON with commas between; undefined beyond the bound. */
  textOf(file: FoundFile): string | undefined;
}

export interface HarvestOptions {
  /** Whether anybody will ask how surely hits define something. */
  readonly isRanked: boolean;
  /** Behind a handle there is no more room than this. */
  readonly maxChars: number;
}

export function createHarvest({ isRanked, maxChars }: HarvestOptions): Harvest {
  const scores = new Map<Hit, number>();
  const texts = new Map<FoundFile, string>();
  const ranks = new Map<FoundFile, FileRank>();
  const rankOf = (file: FoundFile): FileRank => {
    const rank = ranks.get(file) ?? fileRank(file.way);
    ranks.set(file, rank);
    return rank;
  };
  let chars = 0;
  let current: FoundFile | undefined;
  let path = "";
  return {
    onHit(hit, file) {
      if (isRanked) {
        scores.set(hit, definitionScore(hit));
        rankOf(file);
      }
      if (chars > maxChars) return;
      const before = texts.get(file);
      if (file !== current) [current, path] = [file, JSON.stringify(file.path)];
      const text = isPlain(hit)
        ? `{"path":${path},"line":${hit.line},"snippet":${JSON.stringify(hit.text)}}`
        : JSON.stringify(bareHit(file.path, hit));
      texts.set(file, before === undefined ? text : `${before},${text}`);
      chars += text.length;
    },
    scoreOf: (hit) => scores.get(hit) ?? definitionScore(hit),
    rankOf,
    textOf: (file) => (chars > maxChars ? undefined : texts.get(file)),
  };
}

/** Whether path, line and text are all that there is to say of it. */
function isPlain({ text, cut }: Hit): boolean {
  return cut.before === 0 && cut.after === 0 && !text.includes("\n");
}
