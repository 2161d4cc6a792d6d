import { compileGlob, type Glob } from "@llmc/names";
import type { Bytes } from "@llmc/names";
import type { NamesQuery } from "../query/names-query.js";

/** Which paths the globs of a query leave: all that one of them takes, if any takes, and none leaves out. */
export interface GlobFilter {
  takes(way: Bytes, isFolder: boolean): boolean;
  /** False: nothing in this folder. */
  couldTakeIn(folder: Bytes): boolean;
}

export function globFilter(globs: readonly string[] = []): GlobFilter | undefined {
  if (globs.length === 0) return undefined;
  const leavesOut = (glob: string): boolean => (/^!*/.exec(glob)?.[0].length ?? 0) % 2 === 1;
  const taking = globs.filter((glob) => !leavesOut(glob)).map((glob) => compileGlob(glob));
  const out = globs.filter(leavesOut).map((glob) => compileGlob(glob));
  const some = (ask: (glob: Glob) => boolean): boolean => (taking.length === 0 || taking.some(ask)) && out.every(ask);
  return {
    takes: (way, isFolder) => some((glob) => glob.matches(way, isFolder)),
    couldTakeIn: (folder) => some((glob) => glob.couldMatchBelow(folder)),
  };
}

/** "unknown": no folder. */
export type Kind = "file" | "folder" | "link" | "other" | "unknown";

/** What a name is and what its entry says. */
export interface Facts {
  readonly kind: Kind;
  readonly size?: number | undefined;
  readonly mtimeMs?: number | undefined;
  /** Where a link leads, if that lies in a root. */
  readonly target?: "file" | "folder" | undefined;
}

/** Whether an entry is to be found; "look": its name alone does not say. */
export type FactsFilter = (facts: Facts, looked: boolean) => boolean | "look";

export function factsFilter(query: NamesQuery): FactsFilter | undefined {
  const { type, modifiedSince, minSize, maxSize } = query;
  const bySize = minSize !== undefined || maxSize !== undefined;
  if (type === undefined && modifiedSince === undefined && !bySize) return undefined;
  const kind = type === "dir" ? "folder" : type;
  const fits = (value: number | undefined, least = 0, most = Number.POSITIVE_INFINITY): boolean =>
    value !== undefined && value >= least && value <= most;
  return (facts, looked) => {
    if (facts.kind === "unknown") return "look";
    if (bySize && facts.kind !== "file") return false;
    if (kind !== undefined && facts.kind !== kind && facts.kind !== "link") return false;
    const isLink = kind !== undefined && facts.kind === "link";
    if (!looked && (isLink || bySize || modifiedSince !== undefined)) return "look";
    if (isLink && facts.target !== kind) return false;
    if (bySize && !fits(facts.size, minSize, maxSize)) return false;
    return modifiedSince === undefined || fits(facts.mtimeMs, modifiedSince);
  };
}
