import { readdirSync } from "node:fs";
import { distance } from "fastest-levenshtein";
import { findSeen, type Sight } from "./program.js";

/** Short names are near to many others. */
const SHORT = 4;
const MOST_CHARS = 64;

/** The program that a name most likely meant: with a version behind it (python3 for python), else a typo away. */
export function nearProgram(name: string, sight: Sight): string | undefined {
  if (name.includes("/") || name.length < 2 || name.length > MOST_CHARS) return undefined;
  const most = name.length <= SHORT ? 1 : 2;
  const near = [...new Set(sight.path.flatMap(namesIn))]
    .filter((each) => Math.abs(each.length - name.length) <= most || isVersionOf(name, each))
    .map((each) => ({ each, away: isVersionOf(name, each) ? each.length / 1000 : distance(name, each) }))
    .filter(({ away }) => away <= most)
    .toSorted((one, other) => one.away - other.away || one.each.localeCompare(other.each));
  return near.find(({ each }) => findSeen(each, sight) !== undefined)?.each;
}

function isVersionOf(name: string, each: string): boolean {
  return each.startsWith(name) && /^[\d.-]+$/.test(each.slice(name.length));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
