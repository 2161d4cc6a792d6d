import type { Facts } from "../look/facts.js";
import type { StuckProcess } from "../measure/process-watch.js";
import { durationText, plainText } from "./text.js";
import type { Anomaly } from "./anomaly.js";

/** A parent that is busy asks a moment later: that is no fault. */
const ZOMBIE_MS = 2000;
const MANY_ZOMBIES = 20;
const WAITING_MS = 5000;
const NAMED = 3;

export function ofProcesses({ processes }: Facts): Anomaly[] {
  return [...ofZombies(processes.zombies), ...ofWaiting(processes.waiting)];
}

function ofZombies(zombies: readonly StuckProcess[]): Anomaly[] {
  const lasting = zombies.length >= MANY_ZOMBIES ? zombies : zombies.filter(({ forMs }) => forMs >= ZOMBIE_MS);
  const [first] = lasting;
  if (first === undefined) return [];
  const parents = new Map<number, number>();
  for (const { process } of lasting) parents.set(process.ppid, (parents.get(process.ppid) ?? 0) + 1);
  const [parent = 0] = [...parents].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  return [
    {
      severity: "warning",
      kind: "process",
      fact: `${lasting.length} zombie${lasting.length === 1 ? "" : "s"} (${named(lasting)})`,
      likelyCause: `process ${parent} does not wait for its children`,
      nextStep: { id: "process-tree", pid: parent },
    },
  ];
}

function ofWaiting(waiting: readonly StuckProcess[]): Anomaly[] {
  const lasting = waiting.filter(({ forMs, process }) => forMs >= WAITING_MS && !process.isKernelThread);
  if (lasting.length === 0) return [];
  const longest = Math.max(...lasting.map(({ forMs }) => forMs));
  return [
    {
      severity: "warning",
      kind: "process",
      fact: `${lasting.length} process${lasting.length === 1 ? " has" : "es have"} hung in the kernel for ${durationText(longest / 1000)} (${named(lasting)})`,
      likelyCause: "a disk or a server that does not answer; no signal ends them",
      nextStep: { id: "mounts" },
    },
  ];
}

function named(stuck: readonly StuckProcess[]): string {
  const names = stuck.slice(0, NAMED).map(({ process }) => `${plainText(process.comm)} ${process.pid}`);
  return `${names.join(", ")}${stuck.length > NAMED ? " …" : ""}`;
}
