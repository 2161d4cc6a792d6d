import type { Bytes } from "../path/bytes.js";
import { SLASH } from "../automaton/characters.js";
import type { Builder, Maybe } from "../automaton/nfa.js";
import { readClass } from "./wildmatch-class.js";

/** Puts one part of a pattern in front of what follows it. */
type Part = (builder: Builder, next: Maybe) => Maybe;

/** The pattern as git reads it, byte by byte, in front of `end`; undefined: it is broken, and to git that matches nothing. */
export function wildmatchPlaces(builder: Builder, pattern: Bytes, end: Maybe): Maybe {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length;) {
    const read = readPart(pattern, at);
    if (read === undefined) return undefined;
    parts.push(read.part);
    at = read.end;
  }
  return parts.reduceRight((next, part) => part(builder, next), end);
}

function readPart(pattern: Bytes, at: number): { part: Part; end: number } | undefined {
  switch (pattern[at]) {
    case "\\":
      return at + 1 < pattern.length ? { part: byte(pattern.charCodeAt(at + 1)), end: at + 2 } : undefined;
    case "?":
      return { part: (builder, next) => builder.any(next), end: at + 1 };
    case "*":
      return readStars(pattern, at);
    case "[": {
      const read = readClass(pattern, at);
      return read && { part: (builder, next) => builder.set(read.set, next), end: read.end };
    }
    default:
      return { part: byte(pattern.charCodeAt(at)), end: at + 1 };
  }
}

function byte(code: number): Part {
  return (builder, next) => builder.char(code, next);
}

/** Two stars or more that are a whole name cross slashes, and with the slash behind them they may be nothing at all. */
function readStars(pattern: Bytes, at: number): { part: Part; end: number } {
  let end = at + 1;
  while (pattern[end] === "*") end += 1;
  const alone = at === 0 || pattern[at - 1] === "/";
  if (end - at < 2 || !alone) return { part: (builder, next) => builder.star(next), end };
  if (pattern[end] === "/") return { part: folders, end: end + 1 };
  if (end === pattern.length || pattern.startsWith("\\/", end)) {
    return { part: (builder, next) => builder.everything(next), end };
  }
  return { part: (builder, next) => builder.star(next), end };
}

function folders(builder: Builder, next: Maybe): Maybe {
  return builder.either(next, builder.everything(builder.char(SLASH, next)));
}
