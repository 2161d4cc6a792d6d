import { readdirSync, readFileSync } from "node:fs";

/** A number alone could be another process's by the time that it is signalled. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** In ticks since boot. */
  readonly started: string;
}

/** A process and all below it, children last. */
export function treeOf(root: number): Process[] {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (processOf(name) ?? []) : []));
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

export function endAll(tree: readonly Process[]): void {
  for (const { pid, started } of tree) {
    if (processOf(String(pid))?.started !== started) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone in this very moment.
    }
  }
}

/** Resident MiB of a process and its children: what the user's machine has less of. */
export function residentMiB(root: number): number {
  return treeOf(root).reduce((sum, { pid }) => sum + residentKiB(pid), 0) / 1024;
}

function residentKiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
}

/** The name in the middle may hold anything, brackets too: fields count from its end. */
function processOf(pid: string): Process | undefined {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat === "" ? undefined : { pid: Number(pid), parent: Number(fields[1]), started: fields[19] ?? "" };
}

function read(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
