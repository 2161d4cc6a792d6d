import { walkNames } from "../../src/walk/walk-names.js";
import type { Files } from "@llmc/te-fs";
import type { FoundName, SearchRoot, NameWalk, WalkedNames } from "../../src/index.js";

export interface Walked extends WalkedNames {
  /** Sorted; folders end in a slash, links in an @, what is neither nor a file in a !. */
  readonly ways: readonly string[];
  readonly names: ReadonlyMap<string, FoundName>;
}

const MARKS = { file: "", folder: "/", link: "@", other: "!" };

export async function walked(files: Files, searchRoot: SearchRoot, walk: Partial<NameWalk> = {}): Promise<Walked> {
  const names = new Map<string, FoundName>();
  const ways: string[] = [];
  const wanted = { includeHidden: false, respectIgnore: true, ...walk };
  const told = await walkNames(files.scope, searchRoot, wanted, (folder) => {
    for (const each of folder.names) {
      const way = folder.way === "" ? each.name : `${folder.way}/${each.name}`;
      names.set(way, each);
      ways.push(way + MARKS[each.kind]);
    }
  });
  return { ...told, ways: ways.toSorted(), names };
}
