import { FOLD } from "./look-alikes.js";

export interface Vote {
  /** The line of the haystack where the needle's first line would stand, from 0; below 0 if it hangs over the top. */
  readonly start: number;
  readonly weight: number;
}

// A gram is four units of ink, one byte each, and no whitespace can hide it; or a whole word or number, however short:
// `row 19` and `rowx 19` have no four units in common that other rows have not.
const SLOTS = 1 << 16;
const LINE_END = 0x0a;
const SAMPLED_LINES = 96;
const SAMPLED_CHARS = 4000;
const GRAMS_OF_A_LINE = 32;
const LINES_OF_A_GRAM = 4;
// A gram that stands in many lines says little and costs much.
const MOST_VOTES = 300_000;

/** For each slot the lines of the needle that have it. */
type Grams = ReadonlyMap<number, readonly number[]>;

/**
 * Where the needle may stand, best first and `most` of them: each gram both have votes for a start, a rare one more than
 * a common one. Of equals those that are nearest to the line `near`.
 */
export function countVotes(
  haystack: readonly string[],
  needle: readonly string[],
  most: number,
  near = 0,
): readonly Vote[] {
  const until = haystack.length;
  const grams = gramsOf(needle);
  const lines = new Uint32Array(SLOTS);
  scan(haystack, until, wantedBy(grams), (slot) => {
    lines[slot] = (lines[slot] ?? 0) + 1;
  });
  const chosen = chooseRare(grams, lines);
  const over = needle.length - 1;
  const votes = new Float32Array(until + over);
  scan(haystack, until, wantedBy(chosen), (slot, line) => {
    const weight = Math.log2(1 + until / (lines[slot] ?? 1));
    for (const own of chosen.get(slot) ?? []) votes[line - own + over] = (votes[line - own + over] ?? 0) + weight;
  });
  return best(votes, most, near + over).map(({ start, weight }) => ({ start: start - over, weight }));
}

function gramsOf(needle: readonly string[]): Grams {
  const grams = new Map<number, number[]>();
  for (const line of sample(needle.length, SAMPLED_LINES)) {
    const slots = slotsOf(needle[line] ?? "");
    for (const at of sample(slots.length, GRAMS_OF_A_LINE)) {
      const slot = slots[at] ?? 0;
      const known = grams.get(slot);
      if (known === undefined) grams.set(slot, [line]);
      else if (known.length < LINES_OF_A_GRAM && known.at(-1) !== line) known.push(line);
    }
  }
  return grams;
}

const EVERY_SLOT = new Uint8Array(SLOTS).fill(1);

function slotsOf(line: string): readonly number[] {
  const slots: number[] = [];
  scan([line.slice(0, SAMPLED_CHARS)], 1, EVERY_SLOT, (slot) => slots.push(slot));
  return slots;
}

/** Numbers below `count`, spread evenly, `most` of them at most. */
function sample(count: number, most: number): readonly number[] {
  const taken = Math.min(count, most);
  return Array.from({ length: taken }, (_, nth) => Math.floor((nth * count) / taken));
}

function wantedBy(grams: Grams): Uint8Array {
  const wanted = new Uint8Array(SLOTS);
  for (const slot of grams.keys()) wanted[slot] = 1;
  return wanted;
}

function chooseRare(grams: Grams, lines: Uint32Array): Grams {
  const votesOf = (slot: number): number => (lines[slot] ?? 0) * (grams.get(slot)?.length ?? 0);
  const rareFirst = [...grams.keys()].filter((slot) => votesOf(slot) > 0).sort((a, b) => votesOf(a) - votesOf(b));
  const chosen = new Map<number, readonly number[]>();
  let votes = 0;
  for (const slot of rareFirst) {
    votes += votesOf(slot);
    if (votes > MOST_VOTES && chosen.size > 0) break;
    chosen.set(slot, grams.get(slot) ?? []);
  }
  return chosen;
}

/** Calls `found` for each wanted slot of each line; once a line, else one endless line would outvote all others. */
function scan(
  lines: readonly string[],
  until: number,
  wanted: Uint8Array,
  found: (slot: number, line: number) => void,
): void {
  const seen = new Int32Array(SLOTS).fill(-1);
  const take = (gram: number, index: number): void => {
    const slot = Math.imul(gram, 0x9e37_79b1) >>> 16;
    if (wanted[slot] === 0 || seen[slot] === index) return;
    seen[slot] = index;
    found(slot, index);
  };
  for (let index = 0; index < until; index++) {
    const line = lines[index] ?? "";
    let gram = 0;
    let word = 0;
    for (let at = 0; at <= line.length; at++) {
      const ink = at === line.length ? LINE_END : (FOLD[line.charCodeAt(at)] ?? 0);
      if (IN_WORD[ink] === 1) word = Math.imul(word ^ ink, 0x0100_0193) ^ ink;
      else if (word !== 0) {
        take(word ^ WORD, index);
        word = 0;
      }
      // A blank line has no gram.
      if (ink === 0 || (ink === LINE_END && gram === 0)) continue;
      gram = (gram << 8) | ink;
      take(gram, index);
    }
  }
}

/** The inks that words and numbers are made of. */
const IN_WORD = Uint8Array.from({ length: 256 }, (_, ink) =>
  ink >= 0x80 || /[\w$]/.test(String.fromCharCode(ink)) ? 1 : 0,
);
const WORD = 0x5bd1_e995;

function best(votes: Float32Array, most: number, near: number): readonly Vote[] {
  const top: Vote[] = [];
  let least = 0;
  for (let start = 0; start < votes.length; start++) {
    const weight = votes[start] ?? 0;
    if (weight < least || weight === 0) continue;
    const place = top.findIndex(
      (other) => weight > other.weight || (weight === other.weight && start - near < near - other.start),
    );
    if (place === -1 && top.length === most) continue;
    top.splice(place === -1 ? top.length : place, 0, { start, weight });
    if (top.length > most) top.pop();
    if (top.length === most) least = top.at(-1)?.weight ?? 0;
  }
  return top;
}
