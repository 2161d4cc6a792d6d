import { distance } from "fastest-levenshtein";

/** The known name that a typo most likely meant; undefined when nothing is near. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const wanted = normal(given);
  const most = Math.max(2, wanted.length / 3);
  return nearestWithin(most, wanted, { known, normal }) ?? containing(wanted, known);
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
    const candidate = { name, distance: distance(wanted, normal(name)) };
    if (best === undefined || candidate.distance < best.distance) best = candidate;
  }
  return best === undefined || best.distance > most ? undefined : best.name;
}

// What every name begins with makes strangers look alike: linux.fs_write is not a typo of linux.fs_read.
function normal(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replace(/^linux[._-]/, "")
    .replaceAll(/[^a-z0-9]/g, "");
}

function containing(wanted: string, known: readonly string[]): string | undefined {
  return wanted.length < 3 ? undefined : known.find((name) => normal(name).includes(wanted));
}
