import { distance } from "fastest-levenshtein";

/** The known name that a typo most likely meant; undefined when nothing is near. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  // What every name begins with makes strangers look alike: linux.fs_write is not a typo of linux.fs_read.
  const normal = (name: string) =>
    name
      .toLowerCase()
      .replace(/^linux[._-]/, "")
      .replaceAll(/[^a-z0-9]/g, "");
  const wanted = normal(given.slice(0, 100));
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    const candidate = { name, distance: distance(wanted, normal(name)) };
    if (best === undefined || candidate.distance < best.distance) best = candidate;
  }
  if (best === undefined || best.distance > Math.max(2, wanted.length / 3)) return containing(wanted, known, normal);
  return best.name;
}

function containing(wanted: string, known: readonly string[], normal: (name: string) => string): string | undefined {
  return wanted.length < 3 ? undefined : known.find((name) => normal(name).includes(wanted));
}
