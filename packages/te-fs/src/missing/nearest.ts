import {
  kindOf,
  close,
  hasCode,
  lstatMany,
  type Descriptor,
  type Work,
  walk,
  type Found,
  type Scope,
  eachListed,
} from "@llmc/te-path";
import { type Bytes, type RequestedPath, join, displayPath, toBytes } from "@llmc/names";
import { closenessTo } from "./closeness.js";

/** What there is of a path that does not exist. */
export interface Nearest {
  /** The deepest folder that is there, as the caller spelled it. */
  readonly folder: string;
  /** What was looked for in it. */
  readonly missing: string;
  /** Nothing comes after that. */
  readonly isLast: boolean;
  /** What the folder has of such names, the closest first; folders end in a slash. */
  readonly names: readonly string[];
}

const MOST_LEVELS = 64;
const MOST_LOOKED_AT = 2000;
const MOST_NAMED = 3;
/** Of those that are close, some may be gone or shut. */
const SPARE = 20;
/** Than the closest of them. */
const NO_FURTHER = 3;

/** Undefined where nothing may be said of it. */
export function* nearestTo(scope: Scope, asked: RequestedPath): Work<Nearest | undefined> {
  const found = yield* deepestFolder(scope, asked);
  if (found === undefined) return undefined;
  const { held, folder, missing, isLast } = found;
  try {
    return { folder, missing, isLast, names: yield* closeNames(scope, held, missing) };
  } finally {
    yield* close(held.entry);
  }
}

interface Deepest extends Omit<Nearest, "names"> {
  readonly held: Found;
}

function* deepestFolder(scope: Scope, { shown: whole, exact = false }: RequestedPath): Work<Deepest | undefined> {
  let shown = whole;
  for (let level = 0; level < MOST_LEVELS && shown !== "/"; level++) {
    const cut = shown.lastIndexOf("/");
    const [folder, missing] = [shown.slice(0, cut) || "/", shown.slice(cut + 1)];
    const held = yield* folderAt(scope, { shown: folder, path: toBytes(folder), folder: true, typed: true, exact });
    if (held !== undefined) return { held, folder, missing, isLast: level === 0 };
    shown = folder;
  }
  return undefined;
}

function* folderAt(scope: Scope, asked: RequestedPath): Work<Found | undefined> {
  try {
    return yield* walk(scope, asked);
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT")) return undefined;
    throw thrown;
  }
}

interface Close {
  readonly name: Bytes;
  readonly shown: string;
  readonly closeness: number;
}

function* closeNames(scope: Scope, { entry, real }: Found, missing: string): Work<string[]> {
  // There all names come in one go, however many.
  if (entry.mount !== null) return [];
  const close = yield* namesLike(scope, entry, real, missing);
  const seen = yield* lstatMany(
    entry,
    close.map(({ name }) => name),
  );
  const stats = seen.flatMap((each) => (each !== undefined && "stat" in each ? [each.stat] : []));
  const ours = yield* scope.forbidden.oursAmong(stats, entry.mount);
  const names = close.flatMap(({ shown }, at) => {
    const each = seen[at];
    if (each === undefined || !("stat" in each) || ours.has(each.stat)) return [];
    return kindOf(each.stat) === "folder" ? `${shown}/` : shown;
  });
  return names.slice(0, MOST_NAMED);
}

/** The closest among the names that the kernel tells first. */
function* namesLike(scope: Scope, entry: Descriptor, real: Bytes, missing: string): Work<Close[]> {
  const closeness = closenessTo(missing);
  const hidden = scope.forbidden.hiddenBelow(real, scope.roots).get(real);
  const isShut = (name: Bytes): boolean => hidden?.has(name) === true || scope.forbidden.isSystem(join(real, name));
  const close: Close[] = [];
  for (const name of yield* firstNames(entry)) {
    if (isShut(name)) continue;
    const shown = displayPath(name);
    const its = closeness(shown);
    if (its !== undefined) close.push({ name, shown, closeness: its });
  }
  const best = Math.min(...close.map((each) => each.closeness));
  const near = close.filter((each) => each.closeness <= best + NO_FURTHER);
  return near.toSorted((a, b) => a.closeness - b.closeness || (a.shown < b.shown ? -1 : 1)).slice(0, SPARE);
}

function* firstNames(entry: Descriptor): Work<readonly Bytes[]> {
  const names: Bytes[] = [];
  try {
    // oxlint-disable-next-line require-yield -- a visit may make calls; this one makes none
    yield* eachListed(entry, function* (some) {
      names.push(...some.map(({ name }) => name));
      if (names.length >= MOST_LOOKED_AT) throw new Enough();
    });
  } catch (thrown) {
    if (!(thrown instanceof Enough) && !hasCode(thrown, "EACCES", "EPERM")) throw thrown;
  }
  return names.slice(0, MOST_LOOKED_AT);
}

class Enough extends Error {}
