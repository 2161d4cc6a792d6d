import type { Bytes } from "../path/bytes.js";
import type { CharSet } from "../automaton/characters.js";

const BYTES = Array.from({ length: 256 }, (_, code) => code);

// Of ASCII only, and blanks as git counts them: without vertical tab and form feed.
const NAMED: ReadonlyMap<string, readonly number[]> = new Map([
  ["alnum", bytesIn(/[a-z0-9]/i)],
  ["alpha", bytesIn(/[a-z]/i)],
  ["blank", bytesIn(/[ \t]/)],
  ["cntrl", bytesIn(/[^ -~\x80-\xff]/)],
  ["digit", bytesIn(/\d/)],
  ["graph", bytesIn(/[!-~]/)],
  ["lower", bytesIn(/[a-z]/)],
  ["print", bytesIn(/[ -~]/)],
  ["punct", bytesIn(/[!-/:-@[-`{-~]/)],
  ["space", bytesIn(/[ \t\n\r]/)],
  ["upper", bytesIn(/[A-Z]/)],
  ["xdigit", bytesIn(/[a-f0-9]/i)],
]);

function bytesIn(set: RegExp): number[] {
  return BYTES.filter((code) => set.test(String.fromCharCode(code)));
}

/** The class of bytes that begins at `[`, and where the pattern goes on after it; undefined: it is broken. */
export function readClass(pattern: Bytes, open: number): { set: CharSet; end: number } | undefined {
  const negated = pattern[open + 1] === "!" || pattern[open + 1] === "^";
  const taken = new Set<number>();
  const first = open + (negated ? 2 : 1);
  // What a "-" would begin a range with; none after a range or a named class.
  let from: number | undefined;
  let at = first;
  while (at === first || pattern[at] !== "]") {
    const member = readMember(pattern, at, from);
    if (member === undefined) return undefined;
    for (const code of member.codes) taken.add(code);
    ({ from, end: at } = member);
  }
  return { set: (unit) => taken.has(unit) !== negated, end: at + 1 };
}

interface Member {
  readonly codes: readonly number[];
  readonly from: number | undefined;
  readonly end: number;
}

function readMember(pattern: Bytes, at: number, from: number | undefined): Member | undefined {
  if (pattern[at] === "-" && from !== undefined && at + 1 < pattern.length && pattern[at + 1] !== "]") {
    const to = single(pattern, at + 1);
    return to && { codes: BYTES.slice(from, (to.from as number) + 1), from: undefined, end: to.end };
  }
  return pattern.startsWith("[:", at) ? readNamed(pattern, at) : single(pattern, at);
}

function readNamed(pattern: Bytes, at: number): Member | undefined {
  const close = pattern.indexOf("]", at + 2);
  if (close < 0) return undefined;
  if (close === at + 2 || pattern[close - 1] !== ":") return single(pattern, at);
  const codes = NAMED.get(pattern.slice(at + 2, close - 1));
  return codes && { codes, from: undefined, end: close + 1 };
}

function single(pattern: Bytes, at: number): Member | undefined {
  const place = pattern[at] === "\\" ? at + 1 : at;
  if (place >= pattern.length) return undefined;
  const code = pattern.charCodeAt(place);
  return { codes: [code], from: code, end: place + 1 };
}
