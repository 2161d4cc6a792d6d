import type { Settings } from "@llmc/config";
import { openSystem, type System } from "@llmc/te-system";
import type { ProcessWorld } from "../proc/world.js";

/** Opened at the first call that needs it, on the same samples of processes that the proc tools use. */
export function openMachine({ mcp }: Settings, processes: () => ProcessWorld): () => System {
  let system: System | undefined;
  return () => (system ??= open());

  function open(): System {
    const { thresholds } = mcp.linux_ops.system;
    return openSystem({
      procfs: processes().procfs,
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
}
