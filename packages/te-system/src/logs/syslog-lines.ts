import type { LogEntry } from "./entry.js";

const RFC3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})) \S+ (.*)$/s;
const CLASSIC = /^([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) \S+ (.*)$/s;
const TAG = /^([^\s:[\]]+)(?:\[(\d+)\])?: ?(.*)$/s;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY_MS = 86_400_000;
/** Worst first. */
const WORDS: readonly (readonly [RegExp, number])[] = [
  [/\b(emerg|panic|fatal|crit(ical)?|alert)\b|segfault|out of memory|oom-kill/i, 2],
  [/\berr(or)?s?\b|\bfail(ed|ure|s)?\b|\bdenied\b|\bexception\b|cannot|traceback/i, 3],
  [/\bwarn(ing)?s?\b|deprecat|\bretry/i, 4],
];
const INFO = 6;

/** A line of /var/log/syslog or messages. */
export function parseSyslogLine(line: string, now: Date): LogEntry {
  const rfc = RFC3339.exec(line);
  const classic = rfc === null ? CLASSIC.exec(line) : null;
  const atMs = rfc === null ? classic && classicTime(classic, now) : Date.parse(rfc[1] ?? "");
  const rest = rfc?.[2] ?? classic?.[6] ?? line;
  const [, source = "?", pid, message = rest] = TAG.exec(rest) ?? [];
  return {
    atMs: atMs === null || Number.isNaN(atMs) ? null : atMs,
    source,
    pid: pid === undefined ? null : Number(pid),
    priority: priorityByWords(rest),
    message,
  };
}

/** These files carry no priority: the words in a line do. */
export function priorityByWords(text: string): number {
  return WORDS.find(([words]) => words.test(text))?.[1] ?? INFO;
}

/** Without a year: the last such day. */
function classicTime([, month = "", day, hours, minutes, seconds]: RegExpExecArray, now: Date): number {
  const at = (year: number): number =>
    new Date(year, MONTHS.indexOf(month), Number(day), Number(hours), Number(minutes), Number(seconds)).getTime();
  const thisYear = at(now.getFullYear());
  return thisYear > now.getTime() + DAY_MS ? at(now.getFullYear() - 1) : thisYear;
}
