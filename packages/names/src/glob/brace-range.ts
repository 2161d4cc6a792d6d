import { InvalidArgumentError } from "@llmc/errors";

const NUMBERS = /^(-?\d+)\.\.(-?\d+)(?:\.\.-?(\d+))?$/;
const LETTERS = /^([a-z])\.\.([a-z])(?:\.\.-?(\d+))?$/i;
const MAX_VALUES = 1000;

/** The values of `1..3`, `01..10`, `a..e` or `0..20..5`; undefined: it is no range. */
export function rangeOf(body: string): string[] | undefined {
  const [, from, to, step] = NUMBERS.exec(body) ?? [];
  if (from !== undefined && to !== undefined) return numbers(from, to, step);
  const [, first, last, stride] = LETTERS.exec(body) ?? [];
  if (first === undefined || last === undefined) return undefined;
  return spread(first.charCodeAt(0), last.charCodeAt(0), stride).map((code) => String.fromCharCode(code));
}

/** A zero in front of either end asks for that many digits in all. */
function numbers(from: string, to: string, step: string | undefined): string[] {
  const width = [from, to].some((end) => /^-?0\d/.test(end)) ? Math.max(from.length, to.length) : 0;
  return spread(Number(from), Number(to), step).map((value) =>
    value < 0 ? `-${String(-value).padStart(width - 1, "0")}` : String(value).padStart(width, "0"),
  );
}

function spread(from: number, to: number, step = "1"): number[] {
  const stride = Math.max(1, Number(step));
  const count = Math.floor(Math.abs(to - from) / stride) + 1;
  if (!(count <= MAX_VALUES && Number.isSafeInteger(from) && Number.isSafeInteger(to))) {
    throw new InvalidArgumentError(
      `A range in the glob has more than ${MAX_VALUES} values`,
      "Write * or a class such as [0-9] in its place.",
    );
  }
  return Array.from({ length: count }, (_, nth) => from + (to < from ? -nth : nth) * stride);
}
