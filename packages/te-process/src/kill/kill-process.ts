import { PermissionDeniedError, ProcessNotFoundError } from "@llmc/errors";
import type { Process, Procfs } from "@llmc/procfs";
import type { View } from "../view/own-view.js";
import { demandKillable, whyForbidden } from "./guards.js";
import { isEnding, signalNumber, type SignalName } from "./signals.js";
import { watchEnd, type Outcome } from "./watch-end.js";

export interface KillRequest {
  readonly pid: number;
  readonly signal: SignalName;
  /** As listed: the process that started then, and no other that has its pid now. */
  readonly startTicks?: number | undefined;
  /** All that descends from it as well. */
  readonly isTree: boolean;
  /** Who would be signalled, and nothing else. */
  readonly isDryRun: boolean;
  /** How long to wait for the end; 0: not at all. */
  readonly waitMs: number;
  /** KILL for what is left then. */
  readonly escalates: boolean;
  readonly cancel?: AbortSignal | undefined;
}

export interface KillOptions {
  readonly procfs: Procfs;
  readonly view: View;
  readonly allowOtherUsers: boolean;
  /** The server's own pid. */
  readonly self: number;
}

export interface Target {
  readonly pid: number;
  readonly startTicks: number;
  readonly command: string;
  /** Missing where it was not waited for. */
  readonly outcome?: Outcome;
}

export interface Killed {
  /** The process that was named first, then what descends from it. */
  readonly targets: readonly Target[];
  /** What descends from it and is left alone, and why. */
  readonly spared: readonly { readonly pid: number; readonly reason: string }[];
  readonly escalated: boolean;
}

/** Rounds of looking for children that were born while their parents were signalled. */
const MAX_ROUNDS = 5;

export async function killProcess(request: KillRequest, options: KillOptions): Promise<Killed> {
  const { processes } = options.procfs;
  const first = demandKillable(request.pid, request.startTicks, { ...options, processes });
  const plan = request.isTree ? withDescendants(first, options) : { targets: [first], spared: [] };
  if (request.isDryRun)
    return { targets: plan.targets.map((each) => targetOf(each, options.view)), spared: plan.spared, escalated: false };

  const signalled = signalAll(first, plan.targets, request, options);
  const { signal, waitMs, cancel } = request;
  const outcomes = await watchAll(options, signalled, { signal, waitMs, cancel });
  const left = signalled.filter((_, at) => isAlive(outcomes?.[at]));
  if (!request.escalates || outcomes === undefined || left.length === 0 || cancel?.aborted === true)
    return result(signalled, outcomes, plan.spared, false, options.view);
  for (const each of left) send(each, "KILL", options, false);
  const second = await watchAll(options, signalled, { signal: "KILL", waitMs, cancel });
  return result(signalled, second, plan.spared, true, options.view);
}

function targetOf(process: Process, view: View): Target {
  return { pid: process.pid, startTicks: process.startTicks, command: view.command(process) };
}

function result(
  signalled: readonly Process[],
  outcomes: readonly Outcome[] | undefined,
  spared: Killed["spared"],
  escalated: boolean,
  view: View,
): Killed {
  const targets = signalled.map((each, at) => {
    const outcome = outcomes?.[at];
    return { ...targetOf(each, view), ...(outcome === undefined ? {} : { outcome }) };
  });
  return { targets, spared, escalated };
}

function isAlive(outcome: Outcome | undefined): boolean {
  return outcome !== "exited" && outcome !== "zombie";
}

async function watchAll(
  { procfs }: KillOptions,
  signalled: readonly Process[],
  wait: { signal: SignalName; waitMs: number; cancel?: AbortSignal | undefined },
): Promise<Outcome[] | undefined> {
  if (wait.waitMs <= 0 || !isEnding(wait.signal)) return undefined;
  return await Promise.all(signalled.map((each) => watchEnd(procfs.processes, each, wait)));
}

/** The first one before its children, so that it makes no more of them; then those that it made meanwhile. */
function signalAll(
  first: Process,
  planned: readonly Process[],
  { signal, isTree }: KillRequest,
  options: KillOptions,
): Process[] {
  const done = new Map<string, Process>();
  let next = planned;
  for (let round = 0; round < MAX_ROUNDS && next.length > 0; round += 1) {
    for (const each of next) {
      if (send(each, signal, options, each === first)) done.set(keyOf(each), each);
    }
    if (!isTree || !isEnding(signal)) break;
    const known = [...done.values()];
    next = known.flatMap((each) => withDescendants(each, options).targets).filter((each) => !done.has(keyOf(each)));
    next = [...new Map(next.map((each) => [keyOf(each), each])).values()];
  }
  return [...done.values()];
}

function keyOf({ pid, startTicks }: Process): string {
  return `${pid}:${startTicks}`;
}

/** Whether it was there to get the signal. Right before it, the pid is asked once more whose it is. */
function send({ pid, startTicks }: Process, signal: SignalName, { procfs }: KillOptions, isAskedFor: boolean): boolean {
  if (!procfs.processes.isSame(pid, startTicks)) {
    if (isAskedFor) throw new ProcessNotFoundError(pid, "It ended just now.");
    return false;
  }
  try {
    process.kill(pid, signalNumber(signal));
    return true;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "ESRCH") return false;
    if (code !== "EPERM") throw thrown;
    if (isAskedFor)
      throw new PermissionDeniedError(`Signalling process ${pid}`, {
        hint: "The kernel refuses: it is another user's.",
      });
    return false;
  }
}

/** It and all below it, parents first; what may not be signalled is left out with all that is below it. */
function withDescendants(
  first: Process,
  options: KillOptions,
): { targets: Process[]; spared: { pid: number; reason: string }[] } {
  const { procfs, view, allowOtherUsers, self } = options;
  const above = new Set(procfs.processes.ancestorsOf(self));
  const targets = [first];
  const spared: { pid: number; reason: string }[] = [];
  for (let at = 0; at < targets.length; at += 1) {
    for (const pid of procfs.processes.childrenOf((targets[at] as Process).pid)) {
      const child = procfs.processes.readOne(pid);
      if (child === undefined || targets.some((each) => each.pid === pid)) continue;
      const foreign = allowOtherUsers || view.isOwn(child) ? undefined : `belongs to ${view.user(child.uid)}`;
      const reason = whyForbidden(child, above, self) ?? foreign;
      if (reason === undefined) targets.push(child);
      else spared.push({ pid, reason });
    }
  }
  return { targets, spared };
}
