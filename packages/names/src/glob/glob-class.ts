import { InvalidArgumentError } from "@llmc/errors";
import { isStray, type CharSet } from "../automaton/characters.js";

const NAMED: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /[\p{L}\p{Nl}\p{Nd}]/u],
  ["alpha", /[\p{L}\p{Nl}]/u],
  ["ascii", /\p{ASCII}/u],
  ["blank", /[\p{Zs}\t]/u],
  ["cntrl", /\p{Cc}/u],
  ["digit", /\p{Nd}/u],
  ["graph", /[^\p{Z}\p{C}]/u],
  ["lower", /\p{Ll}/u],
  ["print", /\P{C}/u],
  ["punct", /[\p{P}\p{S}]/u],
  ["space", /[\p{Z}\t\r\n\v\f]/u],
  ["upper", /\p{Lu}/u],
  ["word", /[\p{L}\p{Nl}\p{Nd}\p{Pc}]/u],
  ["xdigit", /[A-Fa-f0-9]/],
]);

type Range = readonly [from: number, to: number];

interface Members {
  readonly ranges: Range[];
  readonly named: RegExp[];
}

/** The class that begins at `[`, and where the glob goes on after it. */
export function parseClass(chars: readonly string[], open: number): { set: CharSet; end: number } {
  const negated = chars[open + 1] === "!" || chars[open + 1] === "^";
  const members: Members = { ranges: [], named: [] };
  const first = open + (negated ? 2 : 1);
  let at = first;
  while (at === first || chars[at] !== "]") at = member(chars, at, members);
  return { set: setOf(members, negated), end: at + 1 };
}

/** Takes one member in, and says where the next one is. */
function member(chars: readonly string[], at: number, { ranges, named }: Members): number {
  if (chars[at] === "[" && chars[at + 1] === ":") {
    const end = chars.indexOf("]", at + 2);
    named.push(classNamed(chars.slice(at + 2, end - 1).join(""), chars[end - 1]));
    return end + 1;
  }
  const [from, next] = single(chars, at);
  if (chars[next] !== "-" || chars[next + 1] === "]") {
    ranges.push([from, from]);
    return next;
  }
  const [to, end] = single(chars, next + 1);
  if (to < from) {
    throw new InvalidArgumentError(
      `The range ${chars.slice(at, end).join("")} in the glob runs backwards`,
      "Write its lower end first.",
    );
  }
  ranges.push([from, to]);
  return end;
}

function single(chars: readonly string[], at: number): [number, number] {
  const from = chars[at] === "\\" ? at + 1 : at;
  const char = chars[from];
  if (char === undefined || char === "/") {
    throw new InvalidArgumentError(
      "A [ in the glob is never closed",
      "Close it by ], or write \\[ for the character itself.",
    );
  }
  return [char.codePointAt(0) as number, from + 1];
}

function classNamed(name: string, colon: string | undefined): RegExp {
  const found = colon === ":" ? NAMED.get(name) : undefined;
  if (found !== undefined) return found;
  throw new InvalidArgumentError(
    "A [: in the glob begins no class that there is",
    `Use one of [:${[...NAMED.keys()].join(":] [:")}:], or write \\[ for the character itself.`,
  );
}

function setOf({ ranges, named }: Members, negated: boolean): CharSet {
  return (unit) => {
    if (ranges.some(([from, to]) => from <= unit && unit <= to)) return !negated;
    const within = named.length > 0 && !isStray(unit) && named.some((each) => each.test(String.fromCodePoint(unit)));
    return within !== negated;
  };
}
