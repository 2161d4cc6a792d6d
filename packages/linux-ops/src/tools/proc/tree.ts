import { processTree, type ProcessTreeFound } from "@llmc/te-process";
import { z } from "zod";
import { defineTool, type LinuxOpsContext } from "../../context/context.js";
import { pid } from "./table/fields.js";
import { affordable, nodeOf, renderTree, treeNode } from "./table/tree-rows.js";

export const procTree = defineTool({
  name: "linux.proc_tree",
  description: "Processes below pid, or all, as a tree with sums.",
  toolset: "proc",
  features: ["mcp.linux_ops.features.proc_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    pid: pid.nullable().optional(),
    depth: z.int().min(0).max(64).default(4),
  }),
  output: z.strictObject({
    nodes: z.array(treeNode).describe("Parents before their children."),
    depth: z.int().describe("What is told one by one: less than asked for where that is too long."),
    truncated: z.boolean(),
    interval_ms: z.int(),
    deeper: z.int().optional().describe("Processes below the depth; their figures are in the sums."),
    left_out: z.int().optional().describe("Rows that did not fit."),
  }),
  logs: { args: ["pid", "depth"], result: ["truncated"] },

  async handler({ pid: of, depth: asked }, context) {
    const { procfs } = context.processes();
    let depth = asked;
    let found = await tell(context, of ?? undefined, depth);
    // A level less is a better answer than a tree that stops in the middle.
    while (depth > 0 && !context.given.has("depth") && affordable(found) < found.nodes.length) {
      depth -= 1;
      found = await tell(context, of ?? undefined, depth);
    }
    const count = affordable(found);
    const memory = procfs.machine.meminfo()?.get("MemTotal") ?? 0;
    return {
      nodes: found.nodes.slice(0, count).map((node) => nodeOf(node, memory)),
      depth,
      truncated: count < found.nodes.length || found.deeper > 0,
      interval_ms: found.intervalMs,
      ...(found.deeper === 0 ? {} : { deeper: found.deeper }),
      ...(count === found.nodes.length ? {} : { left_out: found.nodes.length - count }),
    };
  },

  render: (result) => renderTree(result),
});

function tell(
  { processes, signal }: LinuxOpsContext,
  pid: number | undefined,
  depth: number,
): Promise<ProcessTreeFound> {
  const { procfs, view } = processes();
  return processTree(procfs, view, { pid, depth, signal });
}
