import { OpsError } from "@llmc/errors";
import {
  createHarvest,
  type ContentOptions,
  type ContentQuery,
  type Harvest,
  type HarvestOptions,
} from "@llmc/te-search";
import type { LinuxOpsContext } from "../../../context/context.js";
import { hitProgress } from "./hit-progress.js";
import type { Found, Source } from "./source.js";

export interface Harvested {
  readonly found: Found;
  readonly query: ContentQuery;
  readonly harvest: Harvest;
  /** Says that an invalid regular expression was searched as text. */
  readonly note: string | undefined;
}

export interface Finding extends HarvestOptions {
  readonly source: Source;
  readonly deadlineMs: number;
}

/** Runs the query. Searches an invalid regular expression as text, and throws if that text does not occur. */
export async function findContent(query: ContentQuery, finding: Finding, context: LinuxOpsContext): Promise<Harvested> {
  const until = performance.now() + finding.deadlineMs;
  try {
    return { ...(await harvested(query, finding, context)), note: undefined };
  } catch (thrown) {
    const problem = problemIn(thrown);
    if (query.literal || problem === undefined) throw thrown;
    const deadlineMs = Math.max(1, until - performance.now());
    const asText = await harvested({ ...query, literal: true }, { ...finding, deadlineMs }, context);
    if (asText.found.total === 0) throw thrown;
    return { ...asText, note: `Not a valid regular expression (${problem}); searched as plain text.` };
  }
}

/** Returns the problem of an invalid regular expression, if that made the search fail. */
function problemIn(thrown: unknown): string | undefined {
  if (!OpsError.is(thrown) || thrown.remedy?.id !== "search-as-text") return undefined;
  return thrown.remedy.problem;
}

async function harvested(
  query: ContentQuery,
  { source, deadlineMs, ...options }: Finding,
  context: LinuxOpsContext,
): Promise<Omit<Harvested, "note">> {
  const harvest = createHarvest(options);
  const progress = hitProgress(context);
  const onHit: NonNullable<ContentOptions["onHit"]> = (hit, file) => {
    progress.onHit(hit, file);
    harvest.onHit(hit, file);
  };
  try {
    const found = await source.find(query, { signal: context.signal, deadlineMs, onHit });
    return { found, query, harvest };
  } finally {
    progress.end();
  }
}
