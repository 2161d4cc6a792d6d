import type { ContentOptions, FoundFile, Hit } from "../query/content-query.js";
import { definitionScore } from "./definition.js";
import { fileRank, type FileRank } from "./file-rank.js";
import { bareHit } from "./snippets.js";

/** Scores and serializes hits as they arrive, while this process waits for the engine. */
export interface Harvest {
  readonly onHit: NonNullable<ContentOptions["onHit"]>;
  /** Returns for each hit of the file, in order, how surely it is a definition. */
  scoresOf(file: FoundFile): readonly number[];
  /** Returns the rank by which files are ordered. */
  rankOf(file: FoundFile): FileRank;
  /** Returns the hits of these files as a JSON array with a hit on each line; undefined beyond `maxBytes`. */
  payloadOf(files: readonly FoundFile[]): Buffer | undefined;
}

export interface HarvestOptions {
  /** Scores definitions. */
  readonly isRanked: boolean;
  /** Most bytes that a handle keeps. */
  readonly maxBytes: number;
}

interface Harvested {
  readonly rank: FileRank;
  readonly scores: number[];
  /**
   * Offset of the file's first hit, and length of the JSON before the line number, which all hits of the file share.
   */
  headAt: number;
  headBytes: number;
  /** Range of the file's hits in the buffer, each behind a comma and a newline. */
  readonly from: number;
  to: number;
}

const FIRST_BYTES = 64 * 1024;
/** Most bytes of a UTF-16 unit in UTF-8. */
const MOST_BYTES = 3;

export function createHarvest({ isRanked, maxBytes }: HarvestOptions): Harvest {
  const files = new Map<FoundFile, Harvested>();
  // Kept as bytes, because the garbage collector would move strings until the search is over.
  let room = Buffer.alloc(0);
  let end = 0;

  const begin = (file: FoundFile): Harvested => {
    const begun = { rank: fileRank(file.way), scores: [], headAt: 0, headBytes: 0, from: end, to: end };
    files.set(file, begun);
    return begun;
  };

  function makeRoom(bytes: number): void {
    if (end + bytes <= room.length) return;
    const larger = Buffer.allocUnsafe(Math.max(FIRST_BYTES, end + bytes, 2 * room.length));
    room.copy(larger, 0, 0, end);
    room = larger;
  }

  function put(text: string): void {
    makeRoom(text.length * MOST_BYTES);
    end += room.write(text, end);
  }

  function putHead(own: Harvested, path: string): void {
    const { headAt, headBytes } = own;
    if (headBytes === 0) {
      own.headAt = end;
      put(`,\n{"path":${JSON.stringify(path)},"line":`);
      own.headBytes = end - own.headAt;
      return;
    }
    makeRoom(headBytes);
    room.copyWithin(end, headAt, headAt + headBytes);
    end += headBytes;
  }

  function payloadOf(found: readonly FoundFile[]): Buffer | undefined {
    if (end >= maxBytes || found.length === 0) return undefined;
    const parts: Buffer[] = [];
    let open: { from: number; to: number } | undefined;
    for (const file of found) {
      const own = files.get(file);
      if (own === undefined) return undefined;
      // Joins ranges, because the files usually lie next to each other in the buffer.
      if (open?.to === own.from) open.to = own.to;
      else {
        if (open !== undefined) parts.push(room.subarray(open.from, open.to));
        open = { from: own.from, to: own.to };
      }
    }
    if (open !== undefined) parts.push(room.subarray(open.from, open.to));
    // Drops the first comma, and turns the newline behind it into the bracket.
    const payload = Buffer.concat([...parts, CLOSE]).subarray(1);
    payload[0] = OPEN;
    return payload;
  }

  return {
    onHit(hit, file) {
      const own = files.get(file) ?? begin(file);
      if (isRanked) own.scores.push(definitionScore(hit));
      if (end > maxBytes) return;
      if (isPlain(hit)) {
        putHead(own, file.path);
        put(`${hit.line},"snippet":${JSON.stringify(hit.text)}}`);
      } else put(`,\n${JSON.stringify(bareHit(file.path, hit))}`);
      own.to = end;
    },
    scoresOf: (file) => files.get(file)?.scores ?? [],
    rankOf: (file) => files.get(file)?.rank ?? fileRank(file.way),
    payloadOf,
  };
}

const [OPEN, CLOSE] = [0x5b, Buffer.from("]")] as const;

/** Tells whether path, line and text describe the hit completely. */
function isPlain({ text, cut }: Hit): boolean {
  return cut.before === 0 && cut.after === 0 && !text.includes("\n");
}
