import type { Scope } from "./scope.js";
import type { Found, Place, Target, TargetWanted } from "./target.js";
import { InvalidPathError, LinkOutsideError, NotADirectoryError, OutsideRootsError } from "@llmc/errors";
import {
  type Bytes,
  type RequestedPath,
  contains,
  join,
  namesOf,
  normalizePath,
  displayPath,
  unescapeName,
} from "@llmc/names";
import { kindOf } from "../kernel/kind.js";
import { close, fstat, hasCode, inFolder, lstat, open, readlink } from "../kernel/syscalls.js";
import type { Descriptor, Stat, Work } from "../kernel/syscalls.js";
import { LOOK, openFolder, type Root } from "./root.js";

/** Where to walk to; each link makes a new one, and the walk begins again. */
interface Route {
  readonly path: Bytes;
  /** How many names at the end are the caller's own: each is read as names are shown, and to the letter where there is none. */
  readonly typed: number;
  readonly exact: boolean;
  readonly folder: boolean;
  readonly links: number;
  readonly shown: string;
}

/** A route in terms of the root that it lies in. */
interface Way extends Route {
  readonly root: Root;
  /** The root as this route spells it. */
  readonly base: Bytes;
  readonly names: readonly Bytes[];
  /** The same as they were typed. */
  readonly letters: readonly Bytes[];
}

interface Descent extends Place {
  readonly parentId: Stat;
  readonly way: Way;
}

const MAX_LINKS = 20;

/** Follows links in all names, as long as they stay inside the roots. */
export function* walk(scope: Scope, asked: RequestedPath): Work<Found> {
  let route = start(asked);
  for (;;) {
    const place = yield* descend(scope, route);
    const found = "parent" in place ? yield* look(scope, place) : place;
    if ("entry" in found) return found;
    route = found;
  }
}

/**
 * To where something is or would be made. With `follow` a link in the last name is followed too, so that what it names
 * is changed and not the link; a link to what does not exist yet leads to where that would be.
 */
export function* walkToTarget(scope: Scope, asked: RequestedPath, wanted: TargetWanted): Work<Target> {
  let route = start(asked);
  for (;;) {
    const place = yield* descend(scope, route, wanted.toSync);
    const target = "parent" in place ? yield* inspect(scope, place, wanted) : place;
    if ("parent" in target) return target;
    route = target;
  }
}

function start({ path, folder, shown, typed, exact = false }: RequestedPath): Route {
  return { path, typed: typed === true ? Number.POSITIVE_INFINITY : 0, exact, folder, links: 0, shown };
}

/** Goes from the root to the folder of the last name, one component at a time. */
function* descend(scope: Scope, route: Route, toSync = false): Work<Descent | Route> {
  if (route.links > MAX_LINKS) {
    const problem = `leads through more than ${MAX_LINKS} links`;
    throw new InvalidPathError(route.shown, problem, "Links that lead in a circle lead nowhere: name the file itself.");
  }
  const way = locate(scope.roots, route);
  yield* way.root.resolve();
  const real = join(way.root.real, ...way.names);
  scope.forbidden.refusePath(way.root.real, real, way.shown);
  const mount = scope.mounts.network(real);
  const last = way.names.length - 2;
  const { folder, stat } = yield* way.root.enter(mount, toSync && last < 0);
  let at = yield* admit(scope, way, folder, stat);
  for (let index = 0; index <= last; index++) {
    const next = yield* step(scope, way, index, at.held, toSync && index === last);
    if ("path" in next) return next;
    at = next;
  }
  return { parent: at.held, parentId: at.stat, name: way.names.at(-1) ?? ".", real, way };
}

/** Into one folder. Closes `parent` whatever comes of it. */
function* step(scope: Scope, way: Way, index: number, parent: Descriptor, toSync: boolean): Work<Admitted | Route> {
  let folder: Descriptor;
  try {
    // O_DIRECTORY also makes the kernel mount what autofs has promised there.
    folder = yield* openFolder(parent.mount, inFolder(parent, nameAt(way, index)), toSync);
  } catch (thrown) {
    if (hasCode(thrown, "ENOTDIR", "ELOOP")) return yield* throughLink(scope, way, index, parent);
    return toTheLetter(thrown, way, index);
  } finally {
    yield* close(parent);
  }
  return yield* admit(scope, way, folder);
}

/** At the last name. Closes `parent` whatever comes of it, or returns it. */
function* look(scope: Scope, { parent, parentId, name, real, way }: Descent): Work<Found | Route> {
  const index = way.names.length - 1;
  // A root itself.
  if (index < 0) return { entry: parent, stat: parentId, real };
  try {
    const { held: entry, stat } = yield* admit(scope, way, yield* open(parent.mount, inFolder(parent, name), LOOK));
    try {
      const kind = kindOf(stat);
      if (kind !== "link" && way.folder && kind !== "folder") throw new NotADirectoryError(way.shown);
      if (kind !== "link") return { entry, stat, real };
    } catch (thrown) {
      yield* close(entry);
      throw thrown;
    }
    yield* close(entry);
    return yield* throughLink(scope, way, index, parent);
  } catch (thrown) {
    return toTheLetter(thrown, way, index);
  } finally {
    yield* close(parent);
  }
}

/** At the last name, which need not exist. `parent` stays open only in the spot that is returned. */
function* inspect(scope: Scope, descent: Descent, { follow, hold }: TargetWanted): Work<Target | Route> {
  const { parent, parentId, name, real, way } = descent;
  const target = { parent, parentId, name, real, shown: way.shown, folder: way.folder };
  let toClose: readonly Descriptor[] = [parent];
  try {
    const { held: entry, stat } = yield* admit(scope, way, yield* open(parent.mount, inFolder(parent, name), LOOK));
    toClose = [entry, parent];
    const isLink = kindOf(stat) === "link";
    if (follow && isLink) return yield* throughLink(scope, way, way.names.length - 1, parent);
    if (way.folder && kindOf(stat) !== "folder") throw new NotADirectoryError(way.shown);
    toClose = hold === true ? [] : [entry];
    return { ...target, found: stat, entry: hold === true ? entry : undefined };
  } catch (thrown) {
    if (!hasCode(thrown, "ENOENT")) throw thrown;
    const literal = literally(way, way.names.length - 1);
    if (literal !== undefined) return literal;
    toClose = [];
    return { ...target, found: undefined };
  } finally {
    for (const each of toClose) yield* close(each);
  }
}

interface Admitted {
  readonly held: Descriptor;
  readonly stat: Stat;
}

/** What is held, unless that is closed to everyone: then the descriptor is as well. */
function* admit(scope: Scope, way: Way, held: Descriptor, known?: Stat): Work<Admitted> {
  try {
    const stat = known ?? (yield* fstat(held));
    yield* scope.forbidden.refuseFound(stat, held.mount, way.shown);
    return { held, stat };
  } catch (thrown) {
    yield* close(held);
    throw thrown;
  }
}

/** The target is read from the folder that is held; what it names is judged as if the caller had asked for it. */
function* throughLink(scope: Scope, way: Way, index: number, parent: Descriptor): Work<Route> {
  const isLast = index === way.names.length - 1;
  const spelled = join(way.base, ...way.names.slice(0, index + 1));
  let target: Bytes;
  try {
    target = yield* readlink(parent.mount, inFolder(parent, nameAt(way, index)));
  } catch (thrown) {
    if (!hasCode(thrown, "EINVAL")) throw thrown;
    const now = yield* lstat(parent.mount, inFolder(parent, nameAt(way, index)));
    if (!isLast && now !== undefined && !["link", "folder"].includes(kindOf(now)))
      throw new NotADirectoryError(displayPath(spelled));
    // It was a link a moment ago. Look again.
    return reroute(way, index, { path: spelled, links: way.links + 1 });
  }
  const folder = join(way.root.real, ...way.names.slice(0, index));
  const path = normalizePath(target.startsWith("/") ? target : `${folder}/${target}`);
  // The target itself, not only where the rest of the path leads from there.
  if (rootOf(scope.roots, path) === undefined) throw outside(scope.roots, { shown: way.shown, links: 1 });
  return reroute(way, index, { path, folder: way.folder || (isLast && target.endsWith("/")), links: way.links + 1 });
}

/** Where nothing is shown like that, it is the name itself. */
function toTheLetter(thrown: unknown, way: Way, index: number): Route {
  const literal = hasCode(thrown, "ENOENT") ? literally(way, index) : undefined;
  if (literal === undefined) throw thrown;
  return literal;
}

function literally(way: Way, index: number): Route | undefined {
  const letter = way.letters[index];
  if (letter === undefined || letter === way.names[index] || way.exact) return undefined;
  return reroute(way, index, { path: join(way.base, ...way.names.slice(0, index), letter) });
}

function reroute(way: Way, index: number, changed: Partial<Route> & { path: Bytes }): Route {
  const rest = way.letters.slice(index + 1);
  const { exact, folder, links, shown } = way;
  return {
    exact,
    folder,
    links,
    shown,
    ...changed,
    path: join(changed.path, ...rest),
    typed: Math.min(way.typed, rest.length),
  };
}

function outside(roots: readonly Root[], { shown, links }: Pick<Route, "shown" | "links">): Error {
  const Refusal = links > 0 ? LinkOutsideError : OutsideRootsError;
  return new Refusal(shown, ...roots.map((root) => displayPath(root.path)));
}

function locate(roots: readonly Root[], route: Route): Way {
  const meant = asShown(route);
  const around = rootOf(roots, route.path, meant);
  if (around === undefined) throw outside(roots, route);
  const { root, base, depth } = around;
  const names = namesOf(meant).slice(depth);
  const letters = meant === route.path ? names : namesOf(route.path).slice(depth);
  const { path, typed, exact, folder, links, shown } = route;
  return { path, typed, exact, folder, links, shown, root, base, names, letters };
}

/** The path with those of its names that were typed as what is shown like them. */
function asShown({ path, typed }: Route): Bytes {
  if (typed === 0 || !path.includes("\\x")) return path;
  const names = namesOf(path);
  const own = names.length - typed;
  return `/${names.map((name, at) => (at < own ? name : (unescapeName(name) ?? name))).join("/")}`;
}

/** The innermost root that holds the path, by either of the root's spellings; `meant` is how the path is to be read. */
function rootOf(roots: readonly Root[], path: Bytes, meant = path): Around | undefined {
  let best = deepest(roots, "path", path);
  best = deepest(roots, "real", meant, best);
  return meant === path ? best : deepest(roots, "real", path, best);
}

function deepest(roots: readonly Root[], spelling: "path" | "real", path: Bytes, before?: Around): Around | undefined {
  let best = before;
  for (const root of roots) {
    const base = root[spelling];
    if (!contains(base, path) || base === best?.base) continue;
    const depth = namesOf(base).length;
    if (depth > (best?.depth ?? -1)) best = { root, base, depth };
  }
  return best;
}

interface Around {
  readonly root: Root;
  /** As the path spells it. */
  readonly base: Bytes;
  /** How many names that has. */
  readonly depth: number;
}

function nameAt(way: Way, index: number): Bytes {
  return way.names[index] as Bytes;
}

/** Names a place for the locks: the same for every spelling of its path. */
export function placeKey({ parentId: { dev, ino }, name }: Target): string {
  return `${dev}:${ino}/${name}`;
}
