import type { HandleMeta } from "@llmc/handles";
import type { LinuxOpsContext } from "../../../context/context.js";
import { makeHandleId } from "../../../answer/handle.js";
import { jsonArray } from "../../../answer/json-array.js";

/** All that was found, as one JSON array behind a handle; null where there is too much of it to keep. */
export async function hitsHandle(
  texts: Iterable<string>,
  meta: HandleMeta,
  context: LinuxOpsContext,
): Promise<string | null> {
  const { mcp, signal } = context;
  const payload = await jsonArray(texts, mcp.handles.max_payload_bytes, signal);
  return payload && (await makeHandleId(context, { type: "search_hits", meta, payload }));
}
