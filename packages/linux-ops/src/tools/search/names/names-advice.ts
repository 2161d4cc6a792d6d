import type { NamesFound, NamesQuery, Search } from "@llmc/te-search";
import { findsAny, listOf, LOOK_MS } from "../content/advice.js";

export interface NoNameFound {
  readonly search: Search;
  readonly query: NamesQuery;
  readonly found: NamesFound;
  readonly signal: AbortSignal;
}

/** What finds something where nothing was found: it was tried. Undefined where nothing helps that we know of. */
export async function adviceForNoName(nothing: NoNameFound): Promise<string | undefined> {
  if (nothing.found.endedBy !== null) return "Name a smaller root.";
  for (const [change, call] of changesFor(nothing)) if (await finds(nothing, change)) return `${call} finds it.`;
  return undefined;
}

type Change = readonly [change: Partial<NamesQuery>, call: string];

function changesFor({ query: { pattern, regex, glob }, found: { leftOut } }: NoNameFound): Change[] {
  const changes: Change[] = [];
  const list = regex ? undefined : listOf(pattern);
  if (list !== undefined && list.includes("*")) changes.push([{ pattern: list }, `pattern=${JSON.stringify(list)}`]);
  if (glob !== undefined) changes.push([{ glob: undefined }, "The same without file_glob"]);
  if (leftOut.hidden > 0 && /(?:^|\/)\./.test(pattern)) changes.push([{ includeHidden: true }, "include_hidden=true"]);
  return changes;
}

async function finds({ search, query, signal }: NoNameFound, change: Partial<NamesQuery>): Promise<boolean> {
  return await findsAny(search.names({ ...query, ...change, maxKept: 1 }, { signal, deadlineMs: LOOK_MS }));
}
