import type { ListOptions } from "@llmc/te-fs";
import type { LinuxOpsContext } from "../../../context/context.js";

/** Enough for the largest answer, whatever handles may hold. */
const LEAST_KEPT_BYTES = 2 * 1024 * 1024;
/** Of each second that a reading tool has: the rest is for the answer. */
const WALKING_MS = 700;

/** How far a walk goes and what it keeps. */
export function walkBounds(
  maxEntries: number,
  { mcp, signal }: LinuxOpsContext,
): Pick<ListOptions, "maxEntries" | "maxKeptBytes" | "maxMs" | "signal"> {
  return {
    maxEntries,
    maxKeptBytes: Math.max(mcp.handles.max_payload_bytes, LEAST_KEPT_BYTES),
    maxMs: mcp.tools.read_timeout * WALKING_MS,
    signal,
  };
}
