import { closest, distance } from "fastest-levenshtein";
import { KEYS, TABLES } from "./keys.js";

const names = [...KEYS, ...TABLES].map(({ name }) => name);
const last = (name: string) => name.slice(name.lastIndexOf(".") + 1);
// Spelling is judged on a piece of this length: the time grows with the product of both.
const LONGEST = 200;

/** The valid key that was most likely meant: the right name in a wrong table counts before a similar spelling. */
export function nearestKey(path: readonly string[]): string {
  const wanted = path.join(".").toLowerCase().slice(0, LONGEST);
  const sameName = names.filter((name) => last(name) === last(wanted));
  return closest(wanted, sameName.length > 0 ? sameName : names);
}

export function nearestValue(value: string, allowed: readonly string[]): string | undefined {
  const wanted = value.toLowerCase().slice(0, LONGEST);
  const candidate = closest(wanted, allowed);
  return distance(wanted, candidate) <= Math.max(2, candidate.length / 2) ? candidate : undefined;
}
