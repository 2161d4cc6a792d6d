import type { Hit, HitFile } from "@llmc/te-search";
import { estimateTokens } from "@llmc/toolkit";
import { shownText } from "./lines.js";

/** What a line adds to an answer. */
export interface Cost {
  readonly tokens: number;
  readonly bytes: number;
}

export function costOf(number: number, text: string): Cost {
  const line = `${number}: ${text}\n`;
  return { tokens: estimateTokens(line), bytes: Buffer.byteLength(line) };
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** What hits and the names of their files cost, made out once. */
export class Prices {
  readonly #hits = new Map<Hit, Cost>();
  readonly #files = new Map<HitFile, Cost>();

  ofHit(hit: Hit): Cost {
    return known(this.#hits, hit, () => costOf(hit.line, shownText(hit)));
  }

  ofName(file: HitFile): Cost {
    return known(this.#files, file, () => costOf(0, file.path));
  }
}

function known<Key>(costs: Map<Key, Cost>, key: Key, find: () => Cost): Cost {
  const before = costs.get(key);
  if (before !== undefined) return before;
  const cost = find();
  costs.set(key, cost);
  return cost;
}
