import type { LinuxOpsContext } from "../../../context/context.js";
import { answerContent } from "./answer-content.js";
import { checkContentArgs, contentQuery, readingEnds, searchTime, type ContentArgs } from "./content-query.js";
import type { ContentResult } from "./content-result.js";
import { findContent } from "./find-content.js";
import { openSource } from "./source.js";

export async function runContent(args: ContentArgs, context: LinuxOpsContext): Promise<ContentResult> {
  checkContentArgs(args, context.given);
  const until = readingEnds(context);
  const search = await context.search();
  const query = contentQuery(args, context);
  const source = await openSource(query.root, search, context);
  const finding = {
    source,
    deadlineMs: searchTime(context),
    isRanked: args.sort === undefined,
    maxBytes: context.mcp.handles.max_payload_bytes,
  };
  const { found, ...harvested } = await findContent(query, finding, context);
  return await answerContent(found, { args, search, source, until, ...harvested }, context);
}
