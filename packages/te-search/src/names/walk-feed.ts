import { walkNames } from "../walk/walk-names.js";
import { pathBytes } from "@llmc/names";
import type { Files } from "@llmc/te-fs";
import type { Fed, FeedOptions } from "./feed.js";

/** Our own walk. `most` names are taken before it says that there are more. */
export async function walkFeed(
  files: Pick<Files, "scope">,
  { searchRoot, includeHidden, respectIgnore, signal, deadline, take }: FeedOptions,
  most = Number.POSITIVE_INFINITY,
): Promise<Fed> {
  let met = 0;
  const walk = { includeHidden, respectIgnore, deadline, ...(signal === undefined ? {} : { signal }) };
  const { ended, hidden, ignored, unreadable } = await walkNames(files.scope, searchRoot, walk, (folder) => {
    met += folder.names.length;
    return met > most ? "stop" : take(folder);
  });
  return {
    ended: ended === "stopped" ? "large" : ended,
    hidden,
    ignored,
    unreadable,
    atLeast: ended !== "whole",
  };
}

/** A ground that is a file has one name: its own. */
export async function fileFeed({ searchRoot, take }: Pick<FeedOptions, "searchRoot" | "take">): Promise<Fed> {
  const name = pathBytes(searchRoot.path.slice(searchRoot.path.lastIndexOf("/") + 1));
  await take({ way: "", names: [{ name, kind: "file" }] });
  return { ended: "whole", hidden: 0, ignored: 0, unreadable: 0, atLeast: false };
}
