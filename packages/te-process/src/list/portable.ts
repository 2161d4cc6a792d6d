import { totalmem } from "node:os";
import type { Reading } from "@llmc/procfs";

/** Where there is no /proc to read: what `ps` tells. Its CPU figures are averages since each process began. */
export async function portableReading(): Promise<Reading> {
  const { default: psList } = await import("ps-list");
  const rows = await psList();
  return {
    intervalMs: 0,
    processes: rows.map(({ pid, ppid, name, cmd, cpu = 0, memory = 0, uid }) => ({
      pid,
      startTicks: 0,
      ppid,
      group: 0,
      session: 0,
      uid: uid ?? null,
      comm: name,
      argv: cmd === undefined || cmd === "" ? [] : cmd.split(" "),
      isKernelThread: false,
      state: "?",
      nice: 0,
      threads: 1,
      rssBytes: Math.round((memory / 100) * totalmem()),
      cpuTicks: 0,
      cpuPercent: cpu,
    })),
  };
}
