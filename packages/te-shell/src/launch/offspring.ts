import { readFileSync, readdirSync } from "node:fs";

/** Processes that these threads have started, oldest first; what was orphaned belongs to the init of its namespace. */
export function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) =>
    text(`/proc/${pid}/task/${thread}/children`)
      .split(" ")
      .filter((each) => each !== "")
      .map(Number),
  );
}

/** All below, wherever they went, the parent of each before it; not more than `most`. */
export function descendantsOf(pid: number, most = Number.POSITIVE_INFINITY): number[] {
  const found = new Set([pid]);
  for (const each of found) {
    if (found.size > most) break;
    for (const child of childrenOf(each)) found.add(child);
  }
  found.delete(pid);
  return [...found];
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function text(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // Ended meanwhile.
    return "";
  }
}
