import { setTimeout as sleep } from "node:timers/promises";
import type { Life, Processes } from "@llmc/procfs";
import { signalNumber, type SignalName } from "./signals.js";

/** What became of a process that was signalled. */
export type Outcome =
  | "exited"
  /** It ended; its parent has not taken note of that. */
  | "zombie"
  | "still alive"
  /** It is alive, and told the kernel to throw this signal away. */
  | "ignores the signal"
  /** It hangs in the kernel (a dead mount, a broken disk); even KILL waits. */
  | "uninterruptible"
  /** It is stopped: other signals wait until it is continued. */
  | "stopped";

interface Meant {
  readonly pid: number;
  readonly startTicks: number;
}

const SHORTEST_LOOK_MS = 2;
const LONGEST_LOOK_MS = 50;
const LOOKS_AT_WAITING = 4;

/** Looks until it ended or time is up: the kernel tells the end of a process to its parent only. */
export async function watchEnd(
  processes: Processes,
  meant: Meant,
  { signal, waitMs, cancel }: { signal: SignalName; waitMs: number; cancel?: AbortSignal | undefined },
): Promise<Outcome> {
  const end = performance.now() + waitMs;
  for (let pause = SHORTEST_LOOK_MS; ; pause = Math.min(2 * pause, LONGEST_LOOK_MS)) {
    const life = lifeOf(processes, meant);
    if (life === undefined) return "exited";
    if (life.isDead) return "zombie";
    const left = end - performance.now();
    if (left <= 0 || cancel?.aborted === true) return await aliveAs(processes, meant, signal);
    await sleep(Math.min(pause, left), undefined, { signal: cancel }).catch(() => {});
  }
}

function lifeOf(processes: Processes, { pid, startTicks }: Meant): Life | undefined {
  const life = processes.lifeOf(pid);
  return life?.startTicks === startTicks ? life : undefined;
}

async function aliveAs(processes: Processes, meant: Meant, signal: SignalName): Promise<Outcome> {
  if (processes.ignores(meant.pid, signalNumber(signal))) return "ignores the signal";
  for (let look = 0; ; look += 1) {
    const state = lifeOf(processes, meant)?.state;
    if (state === undefined) return "exited";
    if (state === "T" || state === "t") return "stopped";
    if (state !== "D") return "still alive";
    // For a moment any process waits for a disk, or for its child to start.
    if (look === LOOKS_AT_WAITING) return "uninterruptible";
    await sleep(LONGEST_LOOK_MS);
  }
}
