import { spawnSync } from "node:child_process";

/**
 * Does work with this process and all that it starts on one processor. A call that goes back and forth takes 25 µs or
 * 75, depending on where the kernel happens to wake the other side: over many starts that is luck, within one it is a
 * constant. Without `taskset` (util-linux) it is left to luck.
 */
export async function onOneProcessor<T>(work: () => Promise<T>): Promise<T> {
  const allowed = affinity();
  const [first] = allowed?.split(/[-,]/) ?? [];
  if (allowed === undefined || first === undefined) return await work();
  affinity(first);
  try {
    return await work();
  } finally {
    affinity(allowed);
  }
}

/** The list of processors, such as `0-3`, before it was set to `list`. Children inherit what the main thread has. */
function affinity(list?: string): string | undefined {
  const args = ["-cp", ...(list === undefined ? [] : [list]), String(process.pid)];
  const { status, stdout } = spawnSync("taskset", args, { encoding: "utf8" });
  return status === 0 ? /list: *(\S+)/.exec(stdout)?.[1] : undefined;
}
