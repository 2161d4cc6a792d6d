import type { Bytes } from "../path/bytes.js";
import type { IgnoreRules } from "./ignore.js";

/** All rules that are in force in a folder. It does not change: a walk holds one for each folder that it is in. */
export interface IgnoreStack {
  /** With the rules of a folder further down, which go before those that are here. */
  with(rules: IgnoreRules): IgnoreStack;
  /** What lies in an ignored folder is ignored, whatever the rules say of itself. */
  ignored(path: Bytes, isFolder: boolean): boolean;
  /** Rules that are not in force, because there are more of them than anybody would write. */
  readonly skipped: number;
}

// Twice what one file may have: each path meets the rules of every folder above it.
const MAX_WILD_BYTES = 32_768;
// Nobody nests so many, and nobody should wait for who does.
const MAX_FILES = 100;

export const NOTHING_IGNORED: IgnoreStack = stackOf([], 0);

/** `deepest` has the rules that go first at its front. */
function stackOf(deepest: readonly IgnoreRules[], skipped: number): IgnoreStack {
  const bytes = deepest.reduce((sum, { wildBytes }) => sum + wildBytes, 0);
  // A walk asks about the entries of one folder in a row.
  let known: { readonly folder: Bytes; readonly ignored: boolean } = { folder: "", ignored: false };

  const itself = (path: Bytes, isFolder: boolean): boolean => {
    for (const rules of deepest) {
      const verdict = rules.verdict(path, isFolder);
      if (verdict !== undefined) return verdict;
    }
    return false;
  };

  const folderIgnored = (path: Bytes, length: number): boolean => {
    if (length !== known.folder.length || !path.startsWith(known.folder)) {
      const folder = path.slice(0, length);
      known = { folder, ignored: wayTo(folder).some((each) => itself(each, true)) };
    }
    return known.ignored;
  };

  return {
    skipped,
    with: (rules) =>
      bytes + rules.wildBytes > MAX_WILD_BYTES || deepest.length >= MAX_FILES
        ? stackOf(deepest, skipped + rules.taken + rules.skipped)
        : stackOf([rules, ...deepest], skipped + rules.skipped),
    ignored: (path, isFolder) => folderIgnored(path, Math.max(0, path.lastIndexOf("/"))) || itself(path, isFolder),
  };
}

/** The folders that a folder lies in, from the top, and itself; the top has no rules about itself. */
function wayTo(folder: Bytes): Bytes[] {
  if (folder === "") return [];
  const ends = Array.from(folder.matchAll(/\/|$/g), ({ index }) => index);
  return ends.map((end) => folder.slice(0, end));
}
