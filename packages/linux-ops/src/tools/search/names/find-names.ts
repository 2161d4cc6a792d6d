import { OpsError } from "@llmc/errors";
import type { NamesFound, NamesQuery, Search, SearchOptions } from "@llmc/te-search";

export interface NamesHarvested {
  readonly found: NamesFound;
  readonly query: NamesQuery;
  /** True if a pattern given as a glob was read as a regular expression. */
  readonly isAsRegex: boolean;
}

/** Matches signs that regular expressions have and globs lack. */
const LOOKS_LIKE_REGEX = /\\[.dwbs]|\.[*+]|[$|^]/;

/** Runs the query. Tries a pattern that finds nothing as a regular expression if it looks like one. */
export async function findNames(search: Search, query: NamesQuery, options: SearchOptions): Promise<NamesHarvested> {
  const until = performance.now() + options.deadlineMs;
  const found = await search.names(query, options);
  const asked = { found, query, isAsRegex: false };
  if (found.total > 0 || found.endedBy !== null || query.regex || !LOOKS_LIKE_REGEX.test(query.pattern)) return asked;
  const regex = { ...query, regex: true };
  const deadlineMs = Math.max(1, until - performance.now());
  try {
    const again = await search.names(regex, { ...options, deadlineMs });
    return again.total === 0 ? asked : { found: again, query: regex, isAsRegex: true };
  } catch (thrown) {
    if (OpsError.is(thrown) && thrown.code === "INVALID_ARGUMENT") return asked;
    throw thrown;
  }
}
