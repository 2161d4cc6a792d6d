import type { ContentOptions, FoundFile, Hit } from "@llmc/te-search";
import { definitionScore } from "./definition.js";
import { fileRank, type FileRank } from "./file-rank.js";
import { bareHit } from "./snippets.js";

/** What can be said of hits and files by themselves, made out as they arrive: while the engine searches, time costs little. */
export interface Harvest {
  readonly onHit: NonNullable<ContentOptions["onHit"]>;
  /** How surely each hit of the file defines what was looked for, in their order. */
  scoresOf(file: FoundFile): readonly number[];
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

interface Harvested {
  readonly rank: FileRank;
  readonly scores: number[];
  /** The path in JSON. */
  readonly path: string;
  text: string;
}

export function createHarvest({ isRanked, maxChars }: HarvestOptions): Harvest {
  const files = new Map<FoundFile, Harvested>();
  let chars = 0;
  const begin = (file: FoundFile): Harvested => {
    const begun = { rank: fileRank(file.way), scores: [], path: JSON.stringify(file.path), text: "" };
    files.set(file, begun);
    return begun;
  };
  return {
    onHit(hit, file) {
      const own = files.get(file) ?? begin(file);
      if (isRanked) own.scores.push(definitionScore(hit));
      if (chars > maxChars) return;
      const text = isPlain(hit)
        ? `{"path":${own.path},"line":${hit.line},"snippet":${JSON.stringify(hit.text)}}`
        : JSON.stringify(bareHit(file.path, hit));
      own.text = own.text === "" ? text : `${own.text},${text}`;
      chars += text.length;
    },
    scoresOf: (file) => files.get(file)?.scores ?? [],
    rankOf: (file) => files.get(file)?.rank ?? fileRank(file.way),
    textOf: (file) => (chars > maxChars ? undefined : files.get(file)?.text),
  };
}

/** Whether path, line and text are all that there is to say of it. */
function isPlain({ text, cut }: Hit): boolean {
  return cut.before === 0 && cut.after === 0 && !text.includes("\n");
}
