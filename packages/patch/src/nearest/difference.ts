import { plain } from "./look-alikes.js";

export type DifferenceKind =
  | "line endings"
  | "trailing whitespace"
  | "indentation"
  | "spacing"
  | "look-alike characters"
  | "quote marks"
  | "letter case"
  | "text"
  | "missing in the file"
  | "only in the file";

export interface LineDifference {
  /** Of the haystack, from 1; of a missing line, where it would stand. */
  readonly line: number;
  /** What the needle has; null where it has no such line. */
  readonly wanted: string | null;
  /** What the haystack has; null where it has no such line. */
  readonly found: string | null;
  readonly kinds: readonly DifferenceKind[];
}

/** What tells two lines apart that were split at "\n"; empty if they are equal. */
export function kindsOf(wanted: string, found: string): readonly DifferenceKind[] {
  if (wanted === found) return [];
  const [own, there] = [take(wanted), take(found)];
  const kinds: DifferenceKind[] = [];
  if (own.ending !== there.ending) kinds.push("line endings");
  // Of a blank line nobody can say which whitespace leads and which trails.
  if (own.trail !== there.trail) kinds.push("trailing whitespace");
  if (own.lead !== there.lead) kinds.push("indentation");
  return [...kinds, ...kindsInside(own.body, there.body)];
}

interface Parts {
  readonly lead: string;
  readonly body: string;
  readonly trail: string;
  readonly ending: string;
}

// Written without a regular expression: one for trailing blanks takes quadratic time on a line of blanks.
function take(line: string): Parts {
  const ending = line.endsWith("\r") ? "\r" : "";
  const text = ending === "" ? line : line.slice(0, -1);
  let to = text.length;
  while (to > 0 && isBlank(text.charCodeAt(to - 1))) to -= 1;
  let from = 0;
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  return { lead: text.slice(0, from), body: text.slice(from, to), trail: text.slice(to), ending };
}

export function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0b || unit === 0x0c;
}

const FORGIVING: readonly (readonly [DifferenceKind, (text: string) => string])[] = [
  ["look-alike characters", plain],
  ["quote marks", (text) => text.replaceAll(/["`]/g, "'")],
  ["spacing", (text) => text.replaceAll(/[\t\v\f ]/g, "")],
  ["letter case", (text) => text.toLowerCase()],
];

/** The fewest kinds that, forgiven, leave no difference. */
function kindsInside(own: string, there: string): readonly DifferenceKind[] {
  if (own === there) return [];
  const equal = (work: typeof FORGIVING): boolean =>
    work.reduce((text, [, forgive]) => forgive(text), own) === work.reduce((text, [, forgive]) => forgive(text), there);
  if (!equal(FORGIVING)) return ["text"];
  let needed = FORGIVING;
  for (const step of FORGIVING) {
    const without = needed.filter((other) => other !== step);
    if (equal(without)) needed = without;
  }
  return needed.map(([kind]) => kind);
}
