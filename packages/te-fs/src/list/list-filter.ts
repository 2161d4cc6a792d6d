import { compileGlob, type Bytes } from "@llmc/names";
import { below, type Ignoring } from "@llmc/te-path";

/** "leaf": listed, and not entered. "pass": entered, because something below it may belong into the list. */
export type Verdict = "list" | "leaf" | "pass" | "hidden" | "ignored" | "out";

export interface ListFilterOptions {
  readonly includeHidden: boolean;
  readonly glob?: string | undefined;
}

export interface FilteredFolder {
  /** From the listed folder on; "" for itself. */
  readonly way: Bytes;
  /** Names in it that stay closed. */
  readonly closed: ReadonlySet<Bytes> | undefined;
  readonly ignore: Ignoring | undefined;
}

export type ListFilter = (folder: FilteredFolder, name: Bytes, isFolder: boolean) => Verdict;

/** Decides on each name that is met. */
export function listFilter({ includeHidden, glob }: ListFilterOptions): ListFilter {
  const judge = glob === undefined ? plain(includeHidden) : globbed(glob, includeHidden);
  return ({ way, closed, ignore }, name, isFolder) => {
    if (closed?.has(name) === true) return "out";
    const verdict = judge(way, name, isFolder);
    if (verdict === "out" || verdict === "hidden" || ignore === undefined) return verdict;
    return name === ".git" || ignore.rules.ignored(below(ignore.way, name), isFolder) ? "ignored" : verdict;
  };
}

type Judge = (way: Bytes, name: Bytes, isFolder: boolean) => Verdict;

function plain(includeHidden: boolean): Judge {
  return (_way, name) => (isHidden(name) && !includeHidden ? "hidden" : "list");
}

function globbed(pattern: string, includeHidden: boolean): Judge {
  const leavesOut = (/^!*/.exec(pattern)?.[0].length ?? 0) % 2 === 1;
  const glob = compileGlob(pattern, { dot: includeHidden || leavesOut });
  // A glob that names the dot (`.github/*`) asks for what is hidden there; a wildcard alone does not.
  const naming = leavesOut ? undefined : compileGlob(pattern, { basename: false, dot: false });
  return (way, name, isFolder) => {
    const hidden = isHidden(name) && !includeHidden;
    if (hidden && naming === undefined) return "hidden";
    const path = below(way, name);
    const enters = isFolder && glob.couldMatchBelow(path) && (!hidden || naming?.couldMatchBelow(path) === true);
    if (glob.matches(path, isFolder)) return enters ? "list" : "leaf";
    return enters ? "pass" : "out";
  };
}

function isHidden(name: Bytes): boolean {
  return name.startsWith(".");
}
