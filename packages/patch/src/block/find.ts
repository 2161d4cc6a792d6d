/** Where the next occurrence begins, from a place on; -1 when there is none. */
export type Finder = (from: number) => number;

export interface Occurrences {
  readonly count: number;
  /** The first ones, in order. */
  readonly starts: readonly number[];
}

// The native search compares a pattern anew at each place: 2 MB of one letter and a pattern of 10,000 take it 2.4 s.
// So it only gets patterns up to this length; of a longer one it finds the head.
const HEAD = 64;
const IN_VAIN = 2;

/** Finds `wanted` in time that grows with the two lengths' sum, whatever they hold. */
export function finderOf(units: string, wanted: string): Finder {
  if (wanted.length <= HEAD) return (from) => units.indexOf(wanted, from);
  const head = wanted.slice(0, HEAD);
  let patience = IN_VAIN * units.length;
  let sure: Finder | undefined;
  return (from) => {
    if (sure !== undefined) return sure(from);
    for (let at = units.indexOf(head, from); at !== -1; at = units.indexOf(head, at + 1)) {
      if (units.startsWith(wanted, at)) return at;
      patience -= wanted.length;
      if (patience >= 0) continue;
      sure = steadyFinder(units, wanted);
      return sure(at + 1);
    }
    return -1;
  };
}

/** Occurrences from left to right that do not overlap; `keep` of their places are kept, all are counted. */
export function occurrencesOf(units: string, wanted: string, keep: number): Occurrences {
  const next = finderOf(units, wanted);
  const starts: number[] = [];
  let count = 0;
  for (let at = next(0); at !== -1; at = next(at + wanted.length)) {
    count += 1;
    if (starts.length < keep) starts.push(at);
  }
  return { count, starts };
}

/** Knuth, Morris and Pratt: never looks at a unit of the text twice, and is slower than the native search where that is fast. */
export function steadyFinder(units: string, wanted: string): Finder {
  const borders = bordersOf(wanted);
  return (from) => {
    let matched = 0;
    for (let at = from; at < units.length; at++) {
      const unit = units.charCodeAt(at);
      while (matched > 0 && unit !== wanted.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
      if (unit === wanted.charCodeAt(matched)) matched += 1;
      if (matched === wanted.length) return at + 1 - matched;
    }
    return -1;
  };
}

/** For each beginning of `wanted` how much of it is also its end. */
function bordersOf(wanted: string): Int32Array {
  const borders = new Int32Array(wanted.length);
  let border = 0;
  for (let at = 1; at < wanted.length; at++) {
    const unit = wanted.charCodeAt(at);
    while (border > 0 && unit !== wanted.charCodeAt(border)) border = borders[border - 1] ?? 0;
    if (unit === wanted.charCodeAt(border)) border += 1;
    borders[at] = border;
  }
  return borders;
}
