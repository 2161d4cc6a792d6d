import type { ListOptions } from "@llmc/te-fs";
import type { LinuxOpsContext } from "../../../context/context.js";
import { DEFAULT_BUDGET, LARGEST_BUDGET } from "../../../answer/budget.js";
import type { ListBudget } from "./select.js";

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

/** What the caller bounds himself is his to pay; the default bound is ours to keep. */
export function budgetFor(maxEntries: number, { given }: LinuxOpsContext): ListBudget {
  const { tokens, bytes } = given.has("max_entries") ? LARGEST_BUDGET : DEFAULT_BUDGET;
  return { entries: maxEntries, tokens, bytes };
}
