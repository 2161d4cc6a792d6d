import { setTimeout as sleep } from "node:timers/promises";
import type { ProcessTree } from "./process-tree.js";

const GRACE_MS = 500;
/** What SIGKILL has not ended by then waits in the kernel for a disk or a mount; no signal reaches it. */
const KILL_MS = 5_000;
const SCAN_MS = 100;

/** Ends the whole tree, asking first unless it is to end at once. Answers the pids that nothing could end. */
export async function endTree(tree: ProcessTree, atOnce = false, graceMs = GRACE_MS): Promise<readonly number[]> {
  const asked = new Set<number>();
  if (!atOnce && (await sweep(tree, graceMs, () => tree.signal("SIGTERM", asked)))) return [];
  const isGone = await sweep(tree, KILL_MS, () => tree.signal("SIGKILL", new Set()));
  return isGone ? [] : tree.members();
}

/** Scan, signal, wait, again: a process that forks between two looks is found by the next one. */
async function sweep(tree: ProcessTree, ms: number, signal: () => void): Promise<boolean> {
  const deadline = performance.now() + ms;
  for (;;) {
    await tree.scan();
    if (!tree.isAlive()) return true;
    const left = deadline - performance.now();
    if (left <= 0) return false;
    signal();
    await outlast(tree, Math.min(left, SCAN_MS));
  }
}

/** Polls, because nobody tells us about the end of a process that is not our child. */
async function outlast(tree: ProcessTree, ms: number): Promise<void> {
  const deadline = performance.now() + ms;
  for (let pause = 2; tree.isAlive() && performance.now() < deadline; pause = Math.min(2 * pause, 25)) {
    await sleep(pause);
  }
}
