import { estimateTokens } from "@llmc/toolkit";
import type { LinuxOpsContext } from "../../../context/context.js";
import { DEFAULT_BUDGET, LARGEST_BUDGET } from "../../../answer/budget.js";

/** As many as fit, at least one. What the caller bounds himself is his to pay; the default bound is ours to keep. */
export function fitting<T>(hits: readonly T[], lineOf: (hit: T) => string, { given }: LinuxOpsContext): T[] {
  let { tokens, bytes } = given.has("max_results") ? LARGEST_BUDGET : DEFAULT_BUDGET;
  const end = hits.findIndex((hit, index) => {
    const line = `${lineOf(hit)}\n`;
    tokens -= estimateTokens(line);
    bytes -= Buffer.byteLength(line);
    return index > 0 && (tokens < 0 || bytes < 0);
  });
  return end === -1 ? [...hits] : hits.slice(0, end);
}
