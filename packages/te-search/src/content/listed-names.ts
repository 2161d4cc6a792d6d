import { walkNames } from "../walk/walk-names.js";
import type { Files } from "@llmc/te-fs";
import type { WalkedNames } from "../walk/name-walk.js";
import type { ContentQuery } from "../query/content-query.js";
import type { Bytes } from "@llmc/names";
import type { SearchRoot } from "../search-root/search-root.js";
import { globFilter } from "../names/filters.js";
import { handOver } from "./hand-over.js";
import { belowRoot } from "./place-for.js";

/** Files for an engine that is told what to look at. */
export interface ListedNames {
  /** Ways, in the order of the walk. */
  readonly source: AsyncIterable<readonly Bytes[]>;
  /** No more are wanted. */
  stop(): void;
  /** Settles once the walk has ended. */
  readonly walked: Promise<WalkedNames>;
}

export interface Listing {
  readonly files: Pick<Files, "scope">;
  readonly searchRoot: SearchRoot;
  readonly query: ContentQuery;
  readonly typeGlobs: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly deadline: number;
}

/** What stands before a way in the name that the engine gets. The "./" is for a file whose name is "-". */
export function prefixOf(searchRoot: SearchRoot): Bytes {
  const below = belowRoot(searchRoot, searchRoot.real).replace(/^\//, "");
  return searchRoot.kind === "file" || below === "" ? `./${below}` : `./${below}/`;
}

const NOTHING_LEFT_OUT: WalkedNames = {
  ended: "whole",
  hidden: 0,
  ignored: 0,
  unreadable: 0,
  closed: 0,
  folders: 0,
  skippedRules: 0,
};

/** By our own walk: it knows what is hidden, ignored or closed. */
export function walkedNames({ files, searchRoot, query, typeGlobs, signal, deadline }: Listing): ListedNames {
  const queue = handOver();
  const byGlob = globFilter(query.glob);
  const byType = globFilter(typeGlobs);
  const walk = {
    includeHidden: query.includeHidden,
    respectIgnore: query.respectIgnore,
    deadline,
    ...(signal === undefined ? {} : { signal }),
  };
  const walked = walkNames(files.scope, searchRoot, walk, ({ way, names }) => {
    if (queue.isClosed) return "stop";
    const folder = way === "" ? "" : `${way}/`;
    const ways: Bytes[] = [];
    for (const { name, kind } of names) {
      if (kind !== "file") continue;
      const path = folder + name;
      if (byGlob?.takes(path, false) !== false && byType?.takes(path, false) !== false) ways.push(path);
    }
    return queue.give(ways);
  });
  walked.then(
    () => queue.end(),
    (cause: unknown) => queue.fail(cause),
  );
  return { source: queue.source, stop: queue.close, walked };
}

export function givenNames(ways: readonly Bytes[]): ListedNames {
  async function* once(): AsyncGenerator<readonly Bytes[]> {
    yield ways;
  }
  return { source: once(), stop: () => undefined, walked: Promise.resolve(NOTHING_LEFT_OUT) };
}

/** Leaves out files that are done. */
export function without({ source, ...names }: ListedNames, done: ReadonlySet<Bytes>): ListedNames {
  async function* rest(): AsyncGenerator<readonly Bytes[]> {
    for await (const ways of source) yield ways.filter((way) => !done.has(way));
  }
  return { source: rest(), ...names };
}
