import { InvalidArgumentError } from "@llmc/errors";

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

const AGE =
  /^(\d{1,9}(?:\.\d{1,3})?)\s*(?:(s)(?:ec(?:ond)?s?)?|(m)(?:in(?:ute)?s?)?|(h)(?:(?:ou)?rs?)?|(d)(?:ays?)?|(w)(?:eeks?)?)$/i;
const DAY = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** "2d", "3h", "90m", "2026-01-31": since when, in milliseconds since 1970. */
export function sinceWhen(text: string, now: number): number {
  const age = AGE.exec(text.trim());
  if (age !== null) return now - Number(age[1]) * (UNIT_MS[age.slice(2).join("").toLowerCase()] ?? 0);
  const at = DAY.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError(
    `linux.search_files: modified_within is ${JSON.stringify(text)}; it must be an age or a date`,
    'Write "90m", "3h", "2d" or "2026-01-31".',
  );
}

const SIZE = /^(\d{1,15}(?:\.\d{1,3})?)\s*(?:([kmgt])(?:i?b)?|b|bytes)?$/i;
const POWERS = ["k", "m", "g", "t"];

/** 10240, "10k", "1.5MB", in base 1024. */
export function bytesOf(name: string, value: number | string): number {
  if (typeof value === "number") return value;
  const match = SIZE.exec(value.trim());
  if (match !== null) return Math.round(Number(match[1]) * 1024 ** (POWERS.indexOf(match[2]?.toLowerCase() ?? "") + 1));
  throw new InvalidArgumentError(
    `linux.search_files: ${name} is ${JSON.stringify(value)}; it must be a size`,
    'Write bytes, or "10k", "1.5MB", "2G".',
  );
}
