import { InvalidArgumentError } from "@llmc/errors";
import type { Bytes } from "../path/bytes.js";
import { Automaton, type State } from "../automaton/automaton.js";
import { SLASH } from "../automaton/characters.js";
import { globPlaces } from "./glob-places.js";
import { hasSlash, parseGlob } from "./parse-glob.js";

/*
 * The dialect. It is that of rg -g and of VS Code where they agree, and minimatch's where they do not.
 *
 *   *       any characters of one name          **     as a whole name: any folders, or none; at the end: all below
 *   ?       one character                       [a-z]  one of these; [!a] [^a] one not of these; [[:alpha:]] by unicode
 *   {a,b}   either, nested too; {1..3} {a..e}   \*     the character itself
 *   !glob   (in front) all but what the glob matches, and all but what lies in a folder that it matches
 *
 * A glob, or an alternative in braces, without a slash matches names at any depth; with one, paths from the listed
 * folder, where a leading / or ./ says no more than that. A slash at the end means folders only, and does not count.
 * Braces without comma or range, parentheses and # are plain characters. A character is one of valid UTF-8, or one byte
 * that is none. What is broken (a class or brace without end, a backslash at the end, a range that runs backwards) is
 * refused.
 */

export interface Glob {
  /** `path` is relative to the folder that is listed, without a slash at either end. */
  matches(path: Bytes, isFolder?: boolean): boolean;
  /** False only where no path below this folder matches, so that a walk may leave it out. */
  couldMatchBelow(folder: Bytes): boolean;
}

export interface GlobOptions {
  /** A glob without a slash matches names at any depth; otherwise only at the top. */
  readonly basename?: boolean;
  /** Wildcards take a dot at the start of a name. */
  readonly dot?: boolean;
}

export function compileGlob(glob: string, { basename = true, dot = true }: GlobOptions = {}): Glob {
  const bangs = /^!*/.exec(glob)?.[0].length ?? 0;
  const items = parseGlob(glob.slice(bangs));
  const { path, name } = globPlaces(items);
  if (path === undefined && name === undefined) {
    throw new InvalidArgumentError("The glob matches nothing", "Leave it out, or use ** for everything.");
  }
  const pattern: Pattern = {
    paths: path && (!basename || hasSlash(items)) ? new Automaton(path, { dot }) : undefined,
    names: name && basename ? new Automaton(name, { dot }) : undefined,
  };
  return bangs % 2 === 0 ? taking(pattern) : leavingOut(pattern);
}

interface Pattern {
  readonly paths: Automaton | undefined;
  readonly names: Automaton | undefined;
}

function taking({ paths, names }: Pattern): Glob {
  return {
    matches(path, isFolder = false) {
      const name = names?.reach(path, path.lastIndexOf("/") + 1, path.length);
      if (name !== undefined && accepts(name, isFolder)) return true;
      return paths !== undefined && accepts(paths.reach(path, 0, path.length), isFolder);
    },
    couldMatchBelow: (folder) => names !== undefined || (paths !== undefined && !below(paths, folder).dead),
  };
}

/** As rg does it: with a folder, what is in it is left out, too. */
function leavingOut({ paths, names }: Pattern): Glob {
  const leavesOut = (path: Bytes, isFolder: boolean): boolean =>
    (names !== undefined && nameWithin(names, path, isFolder)) ||
    (paths !== undefined && pathWithin(paths, path, isFolder));
  return {
    matches: (path, isFolder = false) => !leavesOut(path, isFolder),
    couldMatchBelow: (folder) =>
      !(folder !== "" && leavesOut(folder, true)) && !(paths !== undefined && below(paths, folder).all),
  };
}

function accepts({ file, folder }: State, isFolder: boolean): boolean {
  return (isFolder ? folder : file) >= 0;
}

function below(paths: Automaton, folder: Bytes): State {
  if (folder === "") return paths.start;
  const there = paths.reach(folder, 0, folder.length);
  return there.dead ? there : paths.next(there, SLASH);
}

/** It, or a folder that it lies in, has a name that is accepted. */
function nameWithin(names: Automaton, path: Bytes, isFolder: boolean): boolean {
  for (let from = 0; from <= path.length;) {
    const slash = path.indexOf("/", from);
    const to = slash < 0 ? path.length : slash;
    if (accepts(names.reach(path, from, to), isFolder || slash >= 0)) return true;
    from = to + 1;
  }
  return false;
}

/** It, or a folder that it lies in, is accepted. */
function pathWithin(paths: Automaton, path: Bytes, isFolder: boolean): boolean {
  let state = paths.start;
  for (let from = 0; ;) {
    const slash = path.indexOf("/", from + 1);
    if (slash < 0) return accepts(paths.reach(path, from, path.length, state), isFolder);
    state = paths.reach(path, from, slash, state);
    if (accepts(state, true)) return true;
    from = slash;
  }
}
