import type { CharSet } from "./characters.js";
import type { Place } from "./nfa.js";

export const CHAR = 0;
export const ANY = 1;
export const EVERY = 2;
export const SET = 3;
export const SPLIT = 4;
export const ACCEPT = 5;

const KINDS = { char: CHAR, any: ANY, every: EVERY, set: SET, split: SPLIT, accept: ACCEPT } as const;

/** The places that a pattern can get to as numbers in rows: a hostile pattern has thousands of them in each step. */
export interface Program {
  readonly size: number;
  readonly kind: Uint8Array;
  readonly value: Int32Array;
  readonly special: Uint8Array;
  readonly sets: readonly (CharSet | undefined)[];
  /** The ways on from place `n` are `out[first[n]]` up to `out[first[n + 1]]`, without that. */
  readonly first: Int32Array;
  readonly out: Int32Array;
  /** A set of places is known by the sum of their codes, which nobody can choose. */
  readonly codes: Int32Array;
}

/** The start is place 0. */
export function programOf(start: Place): Program {
  const places = reachable(start);
  const numbers = new Map(places.map((place, number) => [place, number]));
  const first = [0];
  const out: number[] = [];
  for (const place of places) {
    for (const next of place.out) out.push(numbers.get(next) as number);
    first.push(out.length);
  }
  return {
    size: places.length,
    kind: Uint8Array.from(places, ({ kind }) => KINDS[kind]),
    value: Int32Array.from(places, ({ value }) => value),
    special: Uint8Array.from(places, ({ special }) => Number(special)),
    sets: places.map(({ set }) => set),
    first: Int32Array.from(first),
    out: Int32Array.from(out),
    codes: Int32Array.from(places, () => Math.floor(Math.random() * 2 ** 32)),
  };
}

function reachable(start: Place): Place[] {
  const found = new Set([start]);
  for (const place of found) {
    for (const next of place.out) found.add(next);
  }
  return [...found];
}
