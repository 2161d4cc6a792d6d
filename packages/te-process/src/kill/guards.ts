import {
  InvalidArgumentError,
  KillForbiddenError,
  PermissionDeniedError,
  ProcessNotFoundError,
  type Remedy,
} from "@llmc/errors";
import type { Process, Processes } from "@llmc/procfs";
import type { View } from "../view/own-view.js";

export interface GuardOptions {
  readonly processes: Processes;
  readonly view: View;
  readonly allowOtherUsers: boolean;
  /** The server's own pid. */
  readonly self: number;
}

const INIT = 1;
const FIRST = "is the first process of this machine";

/** The process that is meant, once it is sure that it may be signalled. */
export function demandKillable(pid: number, startTicks: number | undefined, options: GuardOptions): Process {
  const { processes, self } = options;
  if (!Number.isSafeInteger(pid) || pid <= 0)
    throw new InvalidArgumentError(
      `${pid} is not a valid pid`,
      "A pid is a whole number above 0; groups are not signalled.",
    );
  // Also where /proc does not show it, as with hidepid.
  if (pid === INIT) throw new KillForbiddenError(pid, FIRST);
  const found = processes.readOne(pid);
  if (found === undefined) throw new ProcessNotFoundError(pid, threadHint(pid, processes));
  if (startTicks !== undefined && found.startTicks !== startTicks)
    throw new ProcessNotFoundError(pid, { id: "pid-reused", startTicks });
  const forbidden = whyForbidden(found, new Set(processes.ancestorsOf(self)), self);
  if (forbidden !== undefined) throw new KillForbiddenError(pid, forbidden);
  refuseOthers(found, options);
  return found;
}

export function whyForbidden(
  { pid, isKernelThread }: Process,
  above: ReadonlySet<number>,
  self: number,
): string | undefined {
  if (pid === INIT) return FIRST;
  if (pid === self) return "is this server";
  if (isKernelThread) return "is a thread of the kernel";
  if (above.has(pid)) return "is a parent of this server";
  return undefined;
}

function refuseOthers(found: Process, { view, allowOtherUsers }: GuardOptions): void {
  if (allowOtherUsers || view.isOwn(found)) return;
  throw new PermissionDeniedError(`Process ${found.pid} of ${view.user(found.uid)}`, {
    hint: { id: "signal-other-users" },
  });
}

/** The number of a thread leads into its process: a signal to it would hit all of it. */
function threadHint(pid: number, processes: Processes): Remedy | undefined {
  return processes.lifeOf(pid) === undefined ? undefined : { id: "pid-of-thread", pid };
}
