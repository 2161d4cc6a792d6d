import { availableParallelism, cpus, loadavg, release, totalmem } from "node:os";
import type { Machine } from "./result.js";

/** Facts that make numbers readable, and nothing that names the machine. */
export function machineFacts(loadBefore: number): Machine {
  return {
    cpu: cpus()[0]?.model.replaceAll(/\s+/g, " ").trim() ?? "unknown processor",
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    // A release can end in the name of whoever built it.
    kernel: /^[\d.]+/.exec(release())?.[0] ?? "unknown",
    node: process.versions.node,
    load: { before: loadBefore, after: load() },
  };
}

export const load = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10;
