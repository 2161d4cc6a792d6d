import { InvalidArgumentError } from "@llmc/errors";
import { sliced, type MeasuredProcess, type Procfs, type ReadOptions } from "@llmc/procfs";
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

const SLICE_MS = 4;

export interface ListedProcess extends MeasuredProcess {
  readonly user: string;
  readonly command: string;
  readonly memPercent: number;
  readonly startedAtMs: number | null;
}

export interface ProcessList {
  /** Texts are made when they are looked at: few of thousands are shown. */
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
    memPercent,
    get user() {
      return view.user(each.uid);
    },
    get command() {
      return view.command(each);
    },
    get startedAtMs() {
      return booted === null ? null : booted + (1000 * each.startTicks) / procfs.units.ticksPerSecond;
    },
  }));
  return {
    processes: (await named(listed, query)).toSorted(ORDERS[query.sort]),
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

/** By what is shown, not by what the process was given: a secret that is masked is not to be guessed. */
async function named(listed: readonly ListedProcess[], { name, signal }: ListQuery): Promise<readonly ListedProcess[]> {
  if (name === undefined) return listed;
  const wanted = name.toLowerCase();
  const found: ListedProcess[] = [];
  await sliced(listed, { ms: SLICE_MS, signal }, (each) => {
    const { comm, command } = each;
    if (comm.toLowerCase().includes(wanted) || command.toLowerCase().includes(wanted)) found.push(each);
  });
  return found;
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
