import { InvalidArgumentError } from "@llmc/errors";
import { rangeOf } from "./brace-range.js";
import type { CharSet } from "../automaton/characters.js";
import { parseClass } from "./glob-class.js";

export type Item =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "any" | "star" | "stars" | "slash" }
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "either"; readonly branches: readonly (readonly Item[])[] };

interface Source {
  readonly chars: readonly string[];
  /** By the place of the opening one. */
  readonly braces: ReadonlyMap<number, Braces>;
}

interface Braces {
  readonly end: number;
  readonly commas: readonly number[];
}

const MAX_CHARS = 4096;
const MAX_DEPTH = 30;
// A whole name, also as the first of an alternative.
const UP = /(?:^|\/)(?:\{(?:[^{}]*,)?)?\.\.(?:\/|$)/;

/** What a glob is made of. A broken one is refused: taken literally it would match nothing, and nobody would know why. */
export function parseGlob(glob: string): Item[] {
  refuseUnfit(glob);
  const chars = Array.from(glob);
  return itemsOf({ chars, braces: pairBraces(chars) }, 0, chars.length);
}

function refuseUnfit(glob: string): void {
  if (glob === "") throw new InvalidArgumentError("The glob is empty", "Leave it out, or use ** for everything.");
  if (glob.length > MAX_CHARS) {
    throw new InvalidArgumentError(`The glob has more than ${MAX_CHARS} characters`, "Use a shorter one.");
  }
  if (/\p{Surrogate}|\0/u.test(glob)) {
    throw new InvalidArgumentError("The glob contains NUL or half a character", "Use ? for a character like that.");
  }
  if (UP.test(glob)) {
    throw new InvalidArgumentError("The glob leads up by ..", "Give that folder as the path, and the glob below it.");
  }
}

function pairBraces(chars: readonly string[]): ReadonlyMap<number, Braces> {
  const braces = new Map<number, Braces>();
  const open: { readonly from: number; readonly commas: number[] }[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at];
    if (char === "\\") at += 1;
    else if (char === "[") at = parseClass(chars, at).end - 1;
    else if (char === "{") open.push({ from: at, commas: [] });
    else if (char === ",") open.at(-1)?.commas.push(at);
    else if (char === "}") {
      const pair = open.pop();
      if (pair !== undefined) braces.set(pair.from, { end: at, commas: pair.commas });
    }
    if (open.length > MAX_DEPTH) {
      throw new InvalidArgumentError(`The glob has more than ${MAX_DEPTH} braces in each other`, "Use fewer.");
    }
  }
  if (open.length === 0) return braces;
  throw new InvalidArgumentError(
    "A { in the glob is never closed",
    "Close it by }, or write \\{ for the character itself.",
  );
}

function itemsOf(source: Source, from: number, to: number): Item[] {
  const items: Item[] = [];
  for (let at = from; at < to;) {
    const [item, end] = itemAt(source, at);
    items.push(item);
    at = end;
  }
  return items;
}

function itemAt(source: Source, at: number): [Item, number] {
  const char = source.chars[at] as string;
  switch (char) {
    case "\\":
      return escaped(source.chars[at + 1], at);
    case "/":
      return [{ kind: "slash" }, at + 1];
    case "?":
      return [{ kind: "any" }, at + 1];
    case "*":
      return stars(source.chars, at);
    case "[": {
      const { set, end } = parseClass(source.chars, at);
      return [{ kind: "set", set }, end];
    }
    case "{":
      return alternatives(source, at) ?? [{ kind: "char", char }, at + 1];
    default:
      return [{ kind: "char", char }, at + 1];
  }
}

function escaped(char: string | undefined, at: number): [Item, number] {
  if (char === undefined) {
    throw new InvalidArgumentError("The glob ends in a single \\", "Write \\\\ for the character itself.");
  }
  return [char === "/" ? { kind: "slash" } : { kind: "char", char }, at + 2];
}

function stars(chars: readonly string[], at: number): [Item, number] {
  let end = at + 1;
  while (chars[end] === "*") end += 1;
  return [{ kind: end - at === 2 ? "stars" : "star" }, end];
}

/** Braces with a comma or a range in them; others are two characters like any. */
function alternatives(source: Source, at: number): [Item, number] | undefined {
  const { end, commas } = source.braces.get(at) as Braces;
  if (commas.length > 0) {
    const starts = [at, ...commas].map((before) => before + 1);
    const branches = starts.map((start, nth) => itemsOf(source, start, commas[nth] ?? end));
    return [{ kind: "either", branches }, end + 1];
  }
  const values = rangeOf(source.chars.slice(at + 1, end).join(""));
  if (values === undefined) return undefined;
  return [{ kind: "either", branches: values.map(literally) }, end + 1];
}

function literally(text: string): Item[] {
  return Array.from(text, (char) => ({ kind: "char", char }));
}

export function hasSlash(items: readonly Item[]): boolean {
  return items.some((item) => item.kind === "slash" || (item.kind === "either" && item.branches.some(hasSlash)));
}
