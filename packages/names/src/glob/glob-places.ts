import { DOT, SLASH } from "../automaton/characters.js";
import { Builder, type Maybe } from "../automaton/nfa.js";
import type { Item } from "./parse-glob.js";

/** How a pattern goes on, by what stands before it in the same name. A way that is missing is a dead end. */
interface Ways {
  /** Nothing: a name begins here. */
  readonly start?: Maybe;
  /** A part of a name. */
  readonly inside?: Maybe;
  /** `**`, which only an end or a slash makes stand for folders. */
  readonly stars?: Maybe;
  /** A dot, which an end or a slash makes stand for this folder. */
  readonly dot?: Maybe;
  /** A slash at the very end: folders only. */
  readonly folder?: Maybe;
}

type Known = "start" | "inside" | "stars" | "dot" | "folder";
const ALL: readonly Known[] = ["start", "inside", "stars", "dot", "folder"];
const MAX_PLACES = 30_000;

/**
 * A glob's alternatives with a slash in them match paths, those without match names: two patterns of one text. Braces
 * may mix both, so each is built from all of it, and the other kind of alternative leads nowhere.
 */
export function globPlaces(items: readonly Item[]): { path: Maybe; name: Maybe } {
  const builder = new Builder(MAX_PLACES);
  const end: Ways = {
    inside: builder.accept(0),
    stars: builder.something(builder.accept(0), true),
    folder: builder.accept(0, true),
  };
  return {
    path: before(builder, items, end, pathSlash).start,
    name: before(builder, items, end, nameSlash).start,
  };
}

type SlashRule = (builder: Builder, after: Ways) => Ways;

function before(builder: Builder, items: readonly Item[], after: Ways, slash: SlashRule): Ways {
  return items.reduceRight((ways, item) => beforeItem(builder, item, ways, slash), after);
}

function beforeItem(builder: Builder, item: Item, after: Ways, slash: SlashRule): Ways {
  switch (item.kind) {
    case "slash":
      return slash(builder, after);
    case "either": {
      const branches = item.branches.map((branch) => before(builder, branch, after, slash));
      return Object.fromEntries(ALL.map((way) => [way, builder.either(...branches.map((each) => each[way]))]));
    }
    case "stars":
      return beforeStars(builder, after);
    case "char":
      return beforeChar(builder, item.char.codePointAt(0) as number, after);
    case "any":
      return both(builder.any(after.inside));
    case "star":
      return both(builder.star(after.inside));
    case "set":
      return both(builder.set(item.set, after.inside));
  }
}

function both(way: Maybe): Ways {
  return { start: way, inside: way };
}

function beforeChar(builder: Builder, code: number, after: Ways): Ways {
  const inside = builder.char(code, after.inside);
  if (code !== DOT) return both(inside);
  return { start: builder.either(builder.char(DOT, after.inside, true), after.dot), inside };
}

function beforeStars(builder: Builder, after: Ways): Ways {
  const inside = builder.star(after.inside);
  return { start: builder.either(after.stars, inside), inside };
}

/** Doubled slashes, one in front and a `./` change nothing. */
function pathSlash(builder: Builder, after: Ways): Ways {
  return {
    start: after.start,
    inside: builder.either(builder.char(SLASH, after.start), after.folder),
    stars: builder.either(builder.folders(after.start), builder.something(after.folder)),
    dot: after.start,
    folder: after.folder,
  };
}

function nameSlash(builder: Builder, after: Ways): Ways {
  return { inside: after.folder, stars: builder.something(after.folder), folder: after.folder };
}
