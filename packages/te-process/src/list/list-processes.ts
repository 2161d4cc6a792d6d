import { InvalidArgumentError } from "@llmc/errors";
import type { MeasuredProcess, Procfs, ReadOptions } from "@llmc/procfs";
import type { View } from "../own-view.js";

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
  readonly sort: SortKey;
}

export interface ListedProcess extends MeasuredProcess {
  readonly user: string;
  readonly command: string;
  readonly memPercent: number;
  readonly startedAtMs: number | null;
}

export interface ProcessList {
  readonly processes: readonly ListedProcess[];
  readonly intervalMs: number;
  /** Other users' that would be listed if the operator opened them. */
  readonly hidden: number;
}

export async function listProcesses(procfs: Procfs, view: View, query: ListQuery): Promise<ProcessList> {
  const { processes, intervalMs } = await procfs.processes.read(query);
  const onPort = query.port === undefined ? undefined : await holdersOf(procfs, query.port, query.signal);
  const total = procfs.machine.meminfo()?.get("MemTotal") ?? 0;
  const booted = procfs.machine.stat()?.bootedAtMs ?? null;
  const wanted = processes
    .filter(({ pid, uid }) => (onPort?.has(pid) ?? true) && isUser(query.user, uid, view))
    .map((each) => ({ each, memPercent: total === 0 ? 0 : (100 * each.rssBytes) / total }))
    .filter(({ each, memPercent }) => each.cpuPercent >= (query.minCpu ?? 0) && memPercent >= (query.minMem ?? 0));
  const seen = wanted.filter(({ each }) => view.isListed(each));
  const listed = seen.map(({ each, memPercent }) => ({
    ...each,
    user: view.user(each.uid),
    command: view.command(each),
    memPercent,
    startedAtMs: booted === null ? null : booted + (1000 * each.startTicks) / procfs.units.ticksPerSecond,
  }));
  return {
    processes: listed.filter(named(query.name)).toSorted(ORDERS[query.sort]),
    intervalMs,
    hidden: wanted.length - seen.length,
  };
}

const ORDERS: Readonly<Record<SortKey, (one: ListedProcess, other: ListedProcess) => number>> = {
  cpu: (one, other) => other.cpuPercent - one.cpuPercent || other.rssBytes - one.rssBytes || one.pid - other.pid,
  mem: (one, other) => other.rssBytes - one.rssBytes || one.pid - other.pid,
  start: (one, other) => other.startTicks - one.startTicks || other.pid - one.pid,
  pid: (one, other) => one.pid - other.pid,
};

function named(name: string | undefined): (process: ListedProcess) => boolean {
  if (name === undefined) return () => true;
  const wanted = name.toLowerCase();
  return ({ comm, command }) => comm.toLowerCase().includes(wanted) || command.toLowerCase().includes(wanted);
}

function isUser(wanted: string | undefined, uid: number | null, view: View): boolean {
  return wanted === undefined || view.user(uid) === wanted || String(uid) === wanted;
}

async function holdersOf(procfs: Procfs, port: number, signal?: AbortSignal): Promise<ReadonlySet<number>> {
  if (!Number.isSafeInteger(port) || port < 1 || port > 65_535)
    throw new InvalidArgumentError(`${port} is no port`, "A port is a number from 1 to 65535.");
  const listeners = await procfs.processes.listeners({ signal });
  return new Set(listeners.filter((each) => each.port === port).flatMap(({ pids }) => pids));
}
