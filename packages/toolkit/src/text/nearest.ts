import { distance } from "fastest-levenshtein";

/** The known name that a typo most likely meant; undefined when nothing is near. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const normal = normalFor(known);
  const wanted = normal(given);
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    const candidate = { name, distance: distance(wanted, normal(name)) };
    if (best === undefined || candidate.distance < best.distance) best = candidate;
  }
  if (best !== undefined && best.distance <= Math.max(2, wanted.length / 3)) return best.name;
  return wanted.length < 3 ? undefined : known.find((name) => normal(name).includes(wanted));
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
