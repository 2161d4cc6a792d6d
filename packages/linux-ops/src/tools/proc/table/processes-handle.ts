import type { MeasuredProcess } from "@llmc/procfs";
import type { LinuxOpsContext } from "../../../context/context.js";
import { makeHandleId } from "../../../answer/handle.js";
import { jsonArray } from "../../../answer/json-array.js";
import { rowOf, type RowSources } from "./row.js";

/** All that was found, as one JSON array behind a handle; null where there is too much of it to keep. */
export async function processesHandle(
  processes: readonly MeasuredProcess[],
  sources: RowSources,
  context: LinuxOpsContext,
): Promise<string | null> {
  const { mcp, signal } = context;
  const payload = await jsonArray(rows(processes, sources), mcp.handles.max_payload_bytes, signal);
  return payload && (await makeHandleId(context, { type: "proc_list", meta: { kind: "proc_list" }, payload }));
}

function* rows(processes: readonly MeasuredProcess[], sources: RowSources): Iterable<string> {
  for (const process of processes) yield JSON.stringify(rowOf(process, sources));
}
