import type { LogEntry } from "./entry.js";
import { priorityByWords } from "./syslog-lines.js";

/** Lines that differ in numbers only, as one. */
export interface Template {
  readonly text: string;
  readonly source: string;
  readonly count: number;
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** The last of them as it is, where they are bad. */
  readonly example: LogEntry | null;
}

export interface Folded {
  /** Rare and bad ones, as they are. */
  readonly verbatim: readonly LogEntry[];
  /** The most frequent first. */
  readonly templates: readonly Template[];
}

/** Below so many, all of them are shorter than anything about them. */
const FEW = 20;
const RARE = 2;
const BAD_VERBATIM = 5;
const ERROR = 3;

export function fold(entries: readonly LogEntry[]): Folded {
  if (entries.length <= FEW) return { verbatim: entries, templates: [] };
  const groups = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    const key = `${entry.source}\0${templateOf(entry.message)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  const folded = [...groups.values()].filter((group) => group.length > (isBad(group) ? BAD_VERBATIM : RARE));
  const gone = new Set(folded.flat());
  return {
    verbatim: entries.filter((entry) => !gone.has(entry)),
    templates: folded.map(asTemplate).toSorted((one, other) => other.count - one.count),
  };
}

function isBad(group: readonly LogEntry[]): boolean {
  return group.some(isBadEntry);
}

export function isBadEntry({ priority, message }: LogEntry): boolean {
  return priority === null ? priorityByWords(message) <= ERROR : priority <= ERROR;
}

function asTemplate(group: readonly LogEntry[]): Template {
  const times = group.flatMap(({ atMs }) => (atMs === null ? [] : [atMs]));
  const last = group.at(-1);
  return {
    text: templateOf(group[0]?.message ?? ""),
    source: group[0]?.source ?? "?",
    count: group.length,
    firstMs: times[0] ?? null,
    lastMs: times.at(-1) ?? null,
    example: last !== undefined && isBad(group) ? last : null,
  };
}

const LONGEST = 2000;
/** What changes from line to line: ids, addresses, numbers. */
const CHANGING =
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b0x[0-9a-f]+\b|\b(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4}\b|\b(?=[a-f]*\d)[0-9a-f]{7,64}\b|\d+(?:[.:,]\d+)*/gi;

/** The message with a * for all that changes. */
export function templateOf(message: string): string {
  return message.slice(0, LONGEST).replace(CHANGING, "*");
}
