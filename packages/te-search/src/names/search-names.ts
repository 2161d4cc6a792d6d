import { findSearchRoot } from "../search-root/find-search-root.js";
import { lookAtNames } from "../walk/look-at-names.js";
import { CancelledError } from "@llmc/errors";
import { displayBelow } from "@llmc/names";
import type { Files } from "@llmc/te-fs";
import type { SearchOptions } from "../query/content-query.js";
import type { SearchRoot } from "../search-root/search-root.js";
import { feedNames, type NameEngines } from "./feed-names.js";
import { factsFilter, globFilter } from "./filters.js";
import type { Match } from "./kept.js";
import type { FoundPath, NamesFound, NamesQuery } from "../query/names-query.js";
import { readRegex } from "./regex.js";
import { regexFilter } from "./regex-filter.js";
import type { RegexThread } from "./regex-thread.js";
import type { RegexThreads } from "./regex-threads.js";
import { trialFilter, type NameFilter, type NameFilterOptions } from "./name-filter.js";
import { cleanPattern, trialsFor } from "./trials.js";

export interface NameTools {
  readonly files: Files;
  readonly engines: NameEngines;
  readonly threads: RegexThreads;
}

/** Makes a new filter, for each engine that is tried. */
export type NewFilter = (trusted: boolean) => NameFilter;

export async function searchNames(
  tools: NameTools,
  query: NamesQuery,
  { signal, deadlineMs }: SearchOptions,
): Promise<NamesFound> {
  const deadline = performance.now() + deadlineMs;
  const over = new AbortController();
  const end = (): void => over.abort();
  const timer = setTimeout(end, Math.min(deadlineMs, 2 ** 31 - 1));
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted === true) end();
  try {
    const searchRoot = await findSearchRoot(tools.files.scope, query.root, { cwd: query.cwd, signal });
    const pattern = cleanPattern(query, searchRoot.path);
    const options = filterOptions(tools.files, searchRoot, query, signal);
    const feed = (newFilter: NewFilter): ReturnType<typeof feedNames> =>
      feedNames(tools, { ...query, searchRoot, signal, deadline }, newFilter);
    const { filter, engine, ...fed } = query.regex
      ? await withThread(tools.threads, over.signal, (thread) => {
          const regex = readRegex(pattern);
          return feed((trusted) => regexFilter(regex, { ...options, trusted, thread, signal: over.signal }));
        })
      : await feed(newFilterFor(pattern, options));
    if (signal?.aborted === true) throw new CancelledError("The search");
    const late = fed.ended === "deadline" || (query.regex && over.signal.aborted);
    const { by, total, best } = filter.found();
    const { hits, gone } = await kindsKnown(best, options);
    const { hidden, ignored, unreadable, atLeast } = fed;
    return {
      searchRoot,
      engine,
      by,
      total: total - gone,
      exact: !late,
      endedBy: late ? "deadline" : null,
      hits: hits.map(foundIn(searchRoot, query)),
      leftOut: { hidden, ignored, unreadable, atLeast: atLeast || late },
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

type Options = Omit<NameFilterOptions, "trusted">;

function filterOptions(
  files: Files,
  searchRoot: SearchRoot,
  query: NamesQuery,
  signal: AbortSignal | undefined,
): Options {
  const { maxKept, maxKeptBytes } = query;
  const isFile = searchRoot.kind === "file";
  return {
    maxKept,
    maxKeptBytes,
    globs: globFilter(query.glob),
    facts: factsFilter(query),
    look: (ways) => lookAtNames(files.scope, searchRoot, isFile ? ways.map(() => "") : ways, { signal }),
  };
}

/** Trials hold where they are, so each filter has its own. */
function newFilterFor(pattern: string, options: Options): NewFilter {
  // A pattern that is refused is refused before anything is read.
  let trials: ReturnType<typeof trialsFor> | undefined = trialsFor(pattern);
  return (trusted) => {
    const own = trials ?? trialsFor(pattern);
    trials = undefined;
    return trialFilter(own, { ...options, trusted });
  };
}

/** The thread starts while the first names are read. */
async function withThread<T>(
  threads: RegexThreads,
  signal: AbortSignal,
  work: (thread: Promise<RegexThread | undefined>) => Promise<T>,
): Promise<T> {
  const thread = threads.take(signal);
  try {
    return await work(thread);
  } finally {
    const taken = await thread;
    if (taken !== undefined) threads.give(taken);
  }
}

/** Where an engine did not tell what it found, the best are looked at; what is gone by then was never found. */
async function kindsKnown(
  best: readonly Match[],
  { look }: Options,
): Promise<{ readonly hits: readonly Match[]; readonly gone: number }> {
  const unknown = best.filter(({ kind }) => kind === "unknown").map(({ way }) => way);
  if (unknown.length === 0) return { hits: best, gone: 0 };
  const found = await look(unknown);
  const kinds = new Map(unknown.map((way, nth) => [way, found[nth]?.kind]));
  const hits = best.flatMap((match) => {
    const kind = match.kind === "unknown" ? kinds.get(match.way) : match.kind;
    return kind === undefined ? [] : [{ ...match, kind }];
  });
  return { hits, gone: best.length - hits.length };
}

const TYPES = { file: "file", folder: "dir", link: "link", other: "other", unknown: "other" } as const;

function foundIn(searchRoot: SearchRoot, { modifiedSince, minSize, maxSize }: NamesQuery): (match: Match) => FoundPath {
  const isFile = searchRoot.kind === "file";
  const plain = ({ way, kind }: Match): FoundPath =>
    isFile
      ? { way: "", path: searchRoot.path, type: TYPES[kind] }
      : { way, path: displayBelow(searchRoot.path, [way]), type: TYPES[kind] };
  if ((modifiedSince ?? minSize ?? maxSize) === undefined) return plain;
  return (match) => ({ ...plain(match), size: match.size, mtimeMs: match.mtimeMs });
}
