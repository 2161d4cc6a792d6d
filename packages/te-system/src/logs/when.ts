import { InvalidArgumentError } from "@llmc/errors";

const UNITS: Readonly<Record<string, number>> = {
  s: 1,
  sec: 1,
  second: 1,
  m: 60,
  min: 60,
  minute: 60,
  h: 3600,
  hour: 3600,
  d: 86_400,
  day: 86_400,
  w: 604_800,
  week: 604_800,
};
const AGO = /^[-+]?(\d{1,9})\s*([a-z]+?)s?(?:\s+ago)?$/;
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const HINT = 'Such as "1h", "30 min ago", "today", "14:05", "2026-01-31 14:05" or "2026-01-31T14:05:00Z".';

/** A moment as people and journalctl write it. Without a zone it is the machine's own. */
export function momentOf(given: string, field: string, now: Date = new Date()): number {
  const text = given.trim().toLowerCase();
  const found = named(text, now) ?? ago(text, now) ?? clock(text, now) ?? date(given.trim());
  if (found === undefined || Number.isNaN(found))
    throw new InvalidArgumentError(
      `${field} is ${JSON.stringify(given.slice(0, 60))}, which is not a valid time`,
      HINT,
    );
  return found;
}

function named(text: string, now: Date): number | undefined {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (text === "now") return now.getTime();
  if (text === "today") return midnight;
  return text === "yesterday" ? midnight - 86_400_000 : undefined;
}

function ago(text: string, now: Date): number | undefined {
  const [, count, unit = ""] = AGO.exec(text) ?? [];
  const seconds = UNITS[unit];
  return count === undefined || seconds === undefined ? undefined : now.getTime() - Number(count) * seconds * 1000;
}

/** Today; what would be later than now was yesterday. */
function clock(text: string, now: Date): number | undefined {
  const [, hours, minutes, seconds] = CLOCK.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const at = new Date(now).setHours(Number(hours), Number(minutes), Number(seconds ?? 0), 0);
  return at > now.getTime() ? at - 86_400_000 : at;
}

function date(text: string): number | undefined {
  if (!DATE.test(text)) return undefined;
  // A date alone would be taken for UTC.
  return new Date(text.length === 10 ? `${text}T00:00` : text.replace(" ", "T")).getTime();
}
