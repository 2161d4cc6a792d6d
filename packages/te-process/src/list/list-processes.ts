import { totalmem } from "node:os";
import { InvalidArgumentError } from "@llmc/errors";
import { sliced, type Listener, type MeasuredProcess, type Procfs, type ReadOptions } from "@llmc/procfs";
import type { View } from "../view/own-view.js";
import { portableReading } from "./portable.js";

export type SortKey = "cpu" | "mem" | "start" | "pid";

export interface ListQuery extends ReadOptions {
  /** A name or a number; undefined: everybody's that may be seen. */
  readonly user?: string | undefined;
  /** Part of the name or of the command line, in any case. */
  readonly name?: string | undefined;
  readonly minCpu?: number | undefined;
  /** In percent of the machine's memory. */
  readonly minMem?: number | undefined;
  /** Only those that wait for connections there. */
  readonly port?: number | undefined;
  /** Selects only processes that listen on some port. */
  readonly isListening?: boolean | undefined;
  readonly sort: SortKey;
}

const SLICE_MS = 4;

export interface ProcessList {
  /** In the order that was asked for. */
  readonly processes: readonly MeasuredProcess[];
  readonly intervalMs: number;
  /** Other users' that would be listed if the operator opened them. */
  readonly hidden: number;
  /** Listeners of all ports; undefined if the query is not about ports. */
  readonly listeners: readonly Listener[] | undefined;
  /** Returns facts of a process, computed only for the few that are displayed. */
  tell(process: MeasuredProcess): Told;
}

export interface Told {
  readonly user: string;
  readonly command: string;
  readonly memPercent: number;
  readonly startedAtMs: number | null;
}

export async function listProcesses(procfs: Procfs, view: View, query: ListQuery): Promise<ProcessList> {
  const isReadable = procfs.processes.lifeOf(process.pid) !== undefined;
  const { processes, intervalMs } = await (isReadable ? procfs.processes.read(query) : portableReading());
  const listeners = await listenersFor(procfs, query);
  const holders = listeners && new Set(listeners.filter(isWanted(query)).flatMap(({ pids }) => pids));
  const total = procfs.machine.meminfo()?.get("MemTotal") ?? totalmem();
  const booted = procfs.machine.stat()?.bootedAtMs ?? null;
  const leastBytes = ((query.minMem ?? 0) / 100) * total;
  const leastCpu = query.minCpu ?? 0;
  const wanted = processes.filter(
    ({ pid, uid, cpuPercent, rssBytes }) =>
      cpuPercent >= leastCpu &&
      rssBytes >= leastBytes &&
      (holders === undefined || holders.has(pid)) &&
      isUser(query.user, uid, view),
  );
  const seen = wanted.filter((each) => view.isListed(each));
  return {
    processes: (await named(seen, view, query)).toSorted(ORDERS[query.sort]),
    intervalMs,
    hidden: wanted.length - seen.length,
    listeners,
    tell: (one) => ({
      user: view.user(one.uid),
      command: view.command(one),
      memPercent: total === 0 ? 0 : (100 * one.rssBytes) / total,
      startedAtMs: booted === null ? null : booted + (1000 * one.startTicks) / procfs.units.ticksPerSecond,
    }),
  };
}

const ORDERS: Readonly<Record<SortKey, (one: MeasuredProcess, other: MeasuredProcess) => number>> = {
  cpu: (one, other) => other.cpuPercent - one.cpuPercent || other.rssBytes - one.rssBytes || one.pid - other.pid,
  mem: (one, other) => other.rssBytes - one.rssBytes || one.pid - other.pid,
  start: (one, other) => other.startTicks - one.startTicks || other.pid - one.pid,
  pid: (one, other) => one.pid - other.pid,
};

/** By what is shown, not by what the process was given: a secret that is masked is not to be guessed. */
async function named(
  seen: readonly MeasuredProcess[],
  view: View,
  { name, signal }: ListQuery,
): Promise<readonly MeasuredProcess[]> {
  if (name === undefined) return seen;
  const wanted = name.toLowerCase();
  const found: MeasuredProcess[] = [];
  await sliced(seen, { ms: SLICE_MS, signal }, (each) => {
    const texts = [each.comm, view.command(each)];
    if (texts.some((text) => text.toLowerCase().includes(wanted))) found.push(each);
  });
  return found;
}

function isUser(wanted: string | undefined, uid: number | null, view: View): boolean {
  return wanted === undefined || view.user(uid) === wanted || String(uid) === wanted;
}

/** Returns all listeners, or undefined if the query is not about ports. */
async function listenersFor(
  procfs: Procfs,
  { port, isListening, signal }: ListQuery,
): Promise<readonly Listener[] | undefined> {
  if (port === undefined && isListening !== true) return undefined;
  if (port !== undefined && (!Number.isSafeInteger(port) || port < 1 || port > 65_535))
    throw new InvalidArgumentError(`${port} is not a valid port`, "A port is a number from 1 to 65535.");
  return await procfs.processes.listeners({ signal });
}

function isWanted({ port }: ListQuery): (listener: Listener) => boolean {
  return (listener) => port === undefined || listener.port === port;
}
