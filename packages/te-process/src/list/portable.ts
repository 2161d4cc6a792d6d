import { totalmem } from "node:os";
import { EngineUnavailableError } from "@llmc/errors";
import type { Reading } from "@llmc/procfs";

/** Where there is no /proc to read: what `ps` tells. Its CPU figures are averages since each process began. */
export async function portableReading(): Promise<Reading> {
  const { default: psList } = await import("ps-list");
  const rows = await psList().catch((cause: unknown) => {
    throw isMissing(cause)
      ? new EngineUnavailableError(
          "A list of processes",
          "there is neither /proc nor ps here",
          "Mount /proc, or install ps (apt, dnf or pacman install procps).",
        )
      : cause;
  });
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

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}
