import type { McpConfig, Settings } from "@llmc/config";
import { buildEnv } from "@llmc/te-run";
import { openSystem, type System, type SystemOptions } from "@llmc/te-system";
import type { ProcessWorld } from "../context/process-world.js";

/** On the same samples of processes that the proc tools use. */
export function openMachine({ mcp }: Settings, processes: () => ProcessWorld): System {
  const { thresholds } = mcp.linux_ops.system;
  return openSystem({
    procfs: processes().procfs,
    ...programs(mcp),
    hasLogs: mcp.linux_ops.features.logs_enabled,
    thresholds: {
      cpuPercent: thresholds.cpu_percent,
      loadPerCore: thresholds.load_per_core,
      memoryPercent: thresholds.memory_percent,
      swapPercent: thresholds.swap_percent,
      diskPercent: thresholds.disk_percent,
      inodesPercent: thresholds.inodes_percent,
      pressurePercent: thresholds.pressure_percent,
    },
  });
}

/** Ours, so that the answer names the program that hangs and not just the deadline. */
const SHARE_OF_A_CALL = 0.8;

function programs({ linux_ops, tools }: McpConfig): Pick<SystemOptions, "path" | "programTimeoutMs"> {
  const extra = linux_ops.commands.path_extra;
  const path = [...extra, buildEnv({})["PATH"]].join(":");
  const seconds = Math.min(linux_ops.process_limits.default_timeout_sec, SHARE_OF_A_CALL * tools.read_timeout);
  return { ...(extra.length > 0 ? { path } : {}), programTimeoutMs: 1000 * seconds };
}
