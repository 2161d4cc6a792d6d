import {
  definitionScore,
  fileRank,
  type ContentOptions,
  type FileRank,
  type FoundFile,
  type Hit,
} from "@llmc/te-search";
import { bareHit } from "./snippets.js";

/** What can be said of hits and files by themselves, made out as they arrive: while the engine searches, time costs little. */
export interface Harvest {
  readonly onHit: NonNullable<ContentOptions["onHit"]>;
  /** How surely each hit of the file defines what was looked for, in their order. */
  scoresOf(file: FoundFile): readonly number[];
  /** How far ahead of others the file is shown. */
  rankOf(file: FoundFile): FileRank;
  /** All hits of these files as they stand behind a handle: one JSON array, a hit a line. Undefined beyond the bound. */
  payloadOf(files: readonly FoundFile[]): Buffer | undefined;
}

export interface HarvestOptions {
  /** Whether anybody will ask how surely hits define something. */
  readonly isRanked: boolean;
  /** Behind a handle there is no more room than this. */
  readonly maxBytes: number;
}

interface Harvested {
  readonly rank: FileRank;
  readonly scores: number[];
  /** Where the first of its hits begins, and how much of that, up to the number of the line, all have in common. */
  headAt: number;
  headBytes: number;
  /** Where its hits lie among all, with a comma and a newline before each. */
  readonly from: number;
  to: number;
}

const FIRST_BYTES = 64 * 1024;
/** Of a character of a string in UTF-8. */
const MOST_BYTES = 3;

export function createHarvest({ isRanked, maxBytes }: HarvestOptions): Harvest {
  const files = new Map<FoundFile, Harvested>();
  // Bytes, not strings: those would be moved about by the collector until the search is over.
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
      // Nearly always all of them in a row.
      if (open?.to === own.from) open.to = own.to;
      else {
        if (open !== undefined) parts.push(room.subarray(open.from, open.to));
        open = { from: own.from, to: own.to };
      }
    }
    if (open !== undefined) parts.push(room.subarray(open.from, open.to));
    // Without the first comma, and in place of the newline behind it.
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

/** Whether path, line and text are all that there is to say of it. */
function isPlain({ text, cut }: Hit): boolean {
  return cut.before === 0 && cut.after === 0 && !text.includes("\n");
}
