import type { ContentOptions, ContentQuery, Hit, HitFile } from "../content-query.js";
import type { Bytes } from "../files.js";

/** Counts hits as an engine tells them, file after file, and keeps as many as may be kept. */
export interface Tally {
  /** The hits that follow are in this file. */
  begin(way: Bytes): void;
  /** The file of the last begin(). */
  readonly current: Bytes | undefined;
  /** Whether the next hit would be kept: only then is it worth to be read. */
  readonly hasRoom: boolean;
  /** One more hit, kept if it is given. "stop": no more are wanted. */
  add(hit?: Hit): void | "stop";
  /** So many more in this file, none of them kept. */
  count(hits: number): void | "stop";
  /** The file is no file to be searched after all: its hits do not count. */
  discard(): void;
  /** The same of files that were left already. */
  without(ways: ReadonlySet<Bytes>): void;
  readonly total: number;
  readonly kept: number;
  /** More hits than the bound: the search was stopped. */
  readonly isFull: boolean;
  readonly files: readonly HitFile[];
}

interface Open {
  readonly way: Bytes;
  readonly path: string;
  readonly hits: Hit[];
  count: number;
  weight: number;
}

/** What a hit takes beside its text. */
const HIT_BYTES = 250;

export function createTally(
  { maxScanHits, maxKeptBytes, mode }: ContentQuery,
  shown: (way: Bytes) => string,
  onHit: ContentOptions["onHit"],
): Tally {
  const files: Open[] = [];
  let open: Open | undefined;
  let [total, kept, weight] = [0, 0, 0];
  let isFull = false;

  const count = (hits: number): void | "stop" => {
    if (open === undefined || hits === 0) return;
    const counted = Math.min(hits, maxScanHits - total);
    if (open.count === 0 && counted > 0) files.push(open);
    open.count += counted;
    total += counted;
    if (counted === hits) return;
    isFull = true;
    return "stop";
  };

  const forget = ({ count, hits, weight: its }: Open): void => {
    total -= count;
    kept -= hits.length;
    weight -= its;
  };

  return {
    files,
    get total() {
      return total;
    },
    get kept() {
      return kept;
    },
    get isFull() {
      return isFull;
    },
    get current() {
      return open?.way;
    },
    get hasRoom() {
      return mode === "lines" && weight < maxKeptBytes && total < maxScanHits;
    },
    begin(way) {
      open = { way, path: shown(way), hits: [], count: 0, weight: 0 };
    },
    count,
    add(hit) {
      if (open === undefined) return;
      if (hit !== undefined) {
        const size = HIT_BYTES + 2 * hit.text.length;
        open.hits.push(hit);
        open.weight += size;
        weight += size;
        kept += 1;
      }
      const verdict = count(1);
      if (hit !== undefined) onHit?.(hit, open);
      return verdict;
    },
    discard() {
      if (open === undefined) return;
      if (open.count > 0) files.pop();
      forget(open);
      open = undefined;
    },
    without(ways) {
      for (const file of files.splice(0)) {
        if (ways.has(file.way)) forget(file);
        else files.push(file);
      }
    },
  };
}
