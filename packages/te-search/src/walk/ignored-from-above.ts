import type { OpenScope } from "@llmc/te-path";
import { RuleRoom, type Bytes, join } from "@llmc/names";
import type { SearchRoot } from "../search-root/search-root.js";
import { rulesAbove } from "./rules-above.js";
import { ignoredBy } from "./rules.js";

/** Returns whether rules above the search root ignore a path below it, by the path itself or by one of its folders. */
export type IgnoredFromAbove = (way: Bytes, isFolder: boolean) => boolean;

export async function ignoredFromAbove(
  scope: OpenScope,
  searchRoot: SearchRoot,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<IgnoredFromAbove> {
  const rules = await scope.run(rulesAbove(scope, searchRoot, new RuleRoom()), searchRoot.path, signal);
  if (rules.files === 0) return () => false;
  const folders = new Map<Bytes, boolean>([["", false]]);

  const itself = (folder: Bytes, name: Bytes, isFolder: boolean): boolean =>
    ignoredBy(rules, folder === "" ? searchRoot.real : join(searchRoot.real, folder), name, isFolder) === true;

  const folderIgnored = (folder: Bytes): boolean => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const ignored = ignoredFrom(folder, true);
    if (folders.size > MOST_KNOWN) folders.clear();
    folders.set(folder, ignored);
    return ignored;
  };

  const ignoredFrom: IgnoredFromAbove = (way, isFolder) => {
    if (way === "") return false;
    const cut = way.lastIndexOf("/");
    const folder = way.slice(0, Math.max(0, cut));
    return folderIgnored(folder) || itself(folder, way.slice(cut + 1), isFolder);
  };
  return ignoredFrom;
}

const MOST_KNOWN = 10_000;
