import type { FoundPath, NamesFound, Search } from "@llmc/te-search";
import type { LinuxOpsContext } from "../../../context/context.js";
import { hitsHandle } from "../content/hits-handle.js";
import { adviceForNoName } from "./names-advice.js";
import type { NamesHarvested } from "./find-names.js";
import type { NamesArgs } from "./names-query.js";
import type { NamesResult } from "./names-result.js";
import { isTextCut } from "./render-names.js";
import { present } from "../content/words.js";

type NameHit = NamesResult["hits"][number];

export interface NamesAnswering extends NamesHarvested {
  readonly args: NamesArgs;
  readonly search: Search;
}

export async function answerNames(
  { found, args, query, search, isAsRegex }: NamesAnswering,
  context: LinuxOpsContext,
): Promise<NamesResult> {
  const { searchRoot, total, exact, endedBy, leftOut, hits } = found;
  const facts = factsFor(args);
  const shown = hits.slice(0, args.max_results).map(facts);
  const isCut = shown.length < total;
  const lacks = isCut || isTextCut({ root: searchRoot.path, hits: shown }, args);
  const meta = {
    kind: "search_hits",
    path: searchRoot.path,
    root: searchRoot.path,
    pattern: args.pattern.slice(0, 200),
  };
  const { ignored, hidden, unreadable, atLeast } = leftOut;
  const left = present({ ignored, hidden, unreadable, ...(atLeast ? { at_least: true as const } : {}) });
  const hint = total === 0 ? await adviceForNoName({ search, query, found, signal: context.signal }) : undefined;
  return {
    hits: shown,
    total_hits: total,
    truncated: isCut || endedBy !== null,
    handle: lacks && hits.length === total ? await hitsHandle(inJson(hits, facts), meta, context) : null,
    root: searchRoot.path,
    ...matchedAs(found, isAsRegex),
    ...(exact ? {} : { lower_bound: true }),
    ...(endedBy === null ? {} : { ended_by: endedBy }),
    ...(left === undefined ? {} : { left_out: left }),
    ...(hint === undefined ? {} : { hint }),
  };
}

function matchedAs({ by, total }: NamesFound, isAsRegex: boolean): Pick<NamesResult, "matched_as"> {
  if (isAsRegex) return { matched_as: "regex" };
  return by === "pattern" || total === 0 ? {} : { matched_as: by };
}

function factsFor({ min_size, max_size, modified_within }: NamesArgs): (found: FoundPath) => NameHit {
  const wantsSize = min_size !== undefined || max_size !== undefined;
  return ({ path, type, size, mtimeMs }) => ({
    path,
    ...(type === "file" ? {} : { type: type === "link" ? "symlink" : type }),
    ...(wantsSize && size !== undefined ? { size_bytes: size } : {}),
    ...(modified_within !== undefined && mtimeMs !== undefined ? { mtime_iso: new Date(mtimeMs).toISOString() } : {}),
  });
}

function* inJson(hits: readonly FoundPath[], facts: (found: FoundPath) => NameHit): Generator<string> {
  for (const hit of hits) yield JSON.stringify(facts(hit));
}
