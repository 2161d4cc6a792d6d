import { distance } from "fastest-levenshtein";

/** The known name that a typo most likely meant; undefined when nothing is near. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const normal = normalFor(known);
  const wanted = normal(given);
  const most = Math.max(2, wanted.length / 3);
  const near = nearestWithin(most, wanted, { known, normal });
  return near ?? (wanted.length < 3 ? undefined : known.find((name) => normal(name).includes(wanted)));
}

export interface Candidates {
  readonly known: readonly string[];
  /** What of a known name counts. */
  readonly normal: (name: string) => string;
}

/** The known name that differs in the fewest letters, and at most in so many. */
export function nearestWithin(most: number, wanted: string, { known, normal }: Candidates): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    const candidate = { name, distance: slips(wanted, normal(name)) };
    if (best === undefined || candidate.distance < best.distance) best = candidate;
  }
  return best === undefined || best.distance > most ? undefined : best.name;
}

/** Counts wrong letters; two neighbours in the wrong order are one slip. */
function slips(given: string, meant: string): number {
  const count = distance(given, meant);
  return count === 2 && isSwapped(given, meant) ? 1 : count;
}

function isSwapped(given: string, meant: string): boolean {
  const at = Array.from(given).findIndex((letter, index) => letter !== meant[index]);
  return `${given.slice(0, at)}${given[at + 1] ?? ""}${given[at] ?? ""}${given.slice(at + 2)}` === meant;
}

// Drops a known namespace, because it makes different names look alike: a.fs_write is not a typo of a.fs_read.
function normalFor(known: readonly string[]): (name: string) => string {
  const spaces = new Set(known.flatMap((name) => /^[a-z]+(?=\.)/.exec(name)?.[0] ?? []));
  return (name) => {
    const short = name.slice(0, 100).toLowerCase();
    const space = /^[a-z]+(?=[._-])/.exec(short)?.[0];
    const own = space !== undefined && spaces.has(space) ? short.slice(space.length) : short;
    return own.replaceAll(/[^a-z0-9]/g, "");
  };
}
