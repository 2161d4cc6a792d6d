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

/** All below, wherever they went: the parent of each comes before it. */
export function descendantsOf(pid: number): number[] {
  const found: number[] = [];
  const seen = new Set([pid]);
  for (let level = [pid]; level.length > 0;) {
    level = level.flatMap(childrenOf).filter((each) => !seen.has(each));
    for (const each of level) seen.add(each);
    found.push(...level);
  }
  return found;
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
