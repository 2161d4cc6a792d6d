import { z } from "zod";
import { defineTool } from "../../context/context.js";
import { answerPorts, answerSnapshot, cut, type Block } from "./answer-snapshot.js";
import { renderSnapshot } from "./render-snapshot.js";
import { snapshotResult } from "./snapshot-result.js";

const BLOCKS = ["cores", "net", "ports", "cgroup", "mounts"] as const satisfies readonly Block[];

export const sysSnapshot = defineTool({
  name: "linux.sys_snapshot",
  description: "What is wrong with this machine, then CPU, load, memory, disks, pressure.",
  toolset: "sys",
  features: ["mcp.linux_ops.features.system_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    include: z.array(z.enum(BLOCKS)).max(BLOCKS.length).optional(),
  }),
  output: snapshotResult,
  logs: { args: ["include"], result: ["short_summary", "cpu_percent", "mem_used_mb"] },

  async handler({ include = [] }, { signal, system, processes }) {
    const blocks = new Set(include);
    const { procfs, view } = processes();
    const snapshot = await (await system()).snapshot({ signal });
    const answer = answerSnapshot(snapshot, blocks, view);
    if (!blocks.has("ports")) return answer;
    const listeners = await procfs.processes.listeners({ signal });
    const commandOf = (pid: number): string | null => {
      const found = procfs.processes.readOne(pid);
      return found === undefined ? null : cut(view.command(found));
    };
    return { ...answer, ...answerPorts(listeners, commandOf) };
  },

  render: (result, { include = [] }) => renderSnapshot(result, new Set(include)),
});
