import type { McpConfig } from "@llmc/config";
import { ManagedProcesses } from "@llmc/te-process";
import type { ProcessWorld } from "../context/process-world.js";

/** Opens the registry of managed processes, one for all sessions. */
export function openManaged({ linux_ops }: McpConfig, processes: () => ProcessWorld): ManagedProcesses {
  const { max_procs_per_session, max_procs_total, idle_timeout_sec } = linux_ops.process_limits;
  return new ManagedProcesses({
    limits: { perOwner: max_procs_per_session, total: max_procs_total, idleMs: idle_timeout_sec * 1000 },
    waitsForInput: (pid) => processes().procfs.processes.waitsForInput(pid),
  });
}
