import { setTimeout as sleep } from "node:timers/promises";
import type { KernelFiles } from "../read/kernel-files.js";
import type { KernelUnits } from "../read/kernel-units.js";
import { sliced } from "../read/sliced.js";
import { placeIn, type CgroupPlace } from "./cgroup.js";
import { CpuSamples, MIN_AGE_MS, ticksOf, ticksSince, type Sample } from "./cpu-samples.js";
import { inputWait, type InputWait } from "./input-wait.js";
import type { Listener } from "./listeners.js";
import { readListeners } from "./listeners.js";
import { ProcessTable, type Process } from "./process-table.js";

/** A process among all others, with what it used of the processors of late. */
export interface MeasuredProcess extends Process {
  /** Of one processor, over the interval of the reading; above 100 where several work. */
  readonly cpuPercent: number;
}

export interface Reading {
  readonly processes: readonly MeasuredProcess[];
  /** What cpuPercent was measured over. */
  readonly intervalMs: number;
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Whether a process is there, and as what. */
export interface Life {
  readonly startTicks: number;
  readonly state: string;
  /** It ended, and nobody has taken note of that. A main thread that ended before others shows Z too, and they live on. */
  readonly isDead: boolean;
}

export interface ProcessesOptions {
  readonly root: string;
  readonly files: KernelFiles;
  readonly units: KernelUnits;
  readonly sliceMs: number;
  readonly now: () => number;
}

export class Processes {
  readonly #root: string;
  readonly #files: KernelFiles;
  readonly #units: KernelUnits;
  readonly #sliceMs: number;
  readonly #now: () => number;
  readonly #table: ProcessTable;
  readonly #samples = new CpuSamples();

  constructor({ root, files, units, sliceMs, now }: ProcessesOptions) {
    this.#root = root;
    this.#files = files;
    this.#units = units;
    this.#sliceMs = sliceMs;
    this.#now = now;
    this.#table = new ProcessTable(root, files, units, now);
  }

  /** All that can be seen. The first reading, and one long after the last, takes 100 ms more for its interval. */
  async read({ signal }: ReadOptions = {}): Promise<Reading> {
    const base = this.#samples.baseAt(this.#now()) ?? (await this.#takeBase(signal));
    const at = this.#now();
    const processes = await this.#table.all({ ms: this.#sliceMs, signal });
    this.#samples.keep({ at, ticks: ticksOf(processes) });
    const intervalMs = at - base.at;
    const ticks = Math.max(1, (intervalMs / 1000) * this.#units.ticksPerSecond);
    // They were made for this reading: there are thousands, and a copy of each costs as much as reading it.
    const measured = processes as (Process & { cpuPercent: number })[];
    for (const each of measured) each.cpuPercent = (100 * ticksSince(base, each)) / ticks;
    return { intervalMs: Math.round(intervalMs), processes: measured };
  }

  /** Read anew. Undefined for what is gone, and for a thread that is no process: a signal to it would hit the whole one. */
  readOne(pid: number): Process | undefined {
    if (!Number.isSafeInteger(pid) || pid <= 0 || this.#groupOf(pid) !== pid) return undefined;
    return this.#table.one(pid);
  }

  /** Right before a signal: is it still the one that was meant? */
  isSame(pid: number, startTicks: number): boolean {
    return this.lifeOf(pid)?.startTicks === startTicks;
  }

  lifeOf(pid: number): Life | undefined {
    const line = this.#table.line(pid);
    if (line === undefined) return undefined;
    const { startTicks, state, threads } = line;
    return { startTicks, state, isDead: (state === "Z" || state === "X") && threads <= 1 };
  }

  /** Whether it told the kernel to throw this signal away. */
  ignores(pid: number, signal: number): boolean {
    const status = this.#files.text(`${this.#root}/${pid}/status`) ?? "";
    const mask = /^SigIgn:\t([0-9a-f]+)$/m.exec(status)?.[1] ?? "0";
    return (BigInt(`0x${mask}`) & (1n << BigInt(signal - 1))) !== 0n;
  }

  /** Tells whether a program or a descendant waits for its input; undefined if the kernel does not tell. */
  waitsForInput(pid: number): InputWait | undefined {
    return inputWait(pid, { root: this.#root, files: this.#files, childrenOf: (each) => this.childrenOf(each) });
  }

  /** Its parent first. */
  ancestorsOf(pid: number): number[] {
    const above: number[] = [];
    let at = this.#table.line(pid)?.ppid ?? 0;
    while (at > 0 && !above.includes(at)) {
      above.push(at);
      at = this.#table.line(at)?.ppid ?? 0;
    }
    return above;
  }

  /** Its own children, without theirs; the kernel's list of them, or where it keeps none, a look at all. */
  childrenOf(pid: number): number[] {
    const folder = `${this.#root}/${pid}/task`;
    const lists = (this.#files.names(folder) ?? []).map((task) => this.#files.text(`${folder}/${task}/children`));
    if (lists.length > 0 && lists.every((list) => list !== undefined))
      return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
    return this.#table.pids().filter((each) => this.#table.line(each)?.ppid === pid);
  }

  belongingOf(pid: number): CgroupPlace | undefined {
    const text = this.#files.text(`${this.#root}/${pid}/cgroup`);
    return text === undefined ? undefined : placeIn(text);
  }

  /** Who waits for connections, with the processes as far as they may be looked into. */
  async listeners({ signal }: ReadOptions = {}): Promise<Listener[]> {
    return readListeners(this.#root, this.#files, this.#table.pids(), { ms: this.#sliceMs, signal });
  }

  async #takeBase(signal: AbortSignal | undefined): Promise<Sample> {
    const at = this.#now();
    const ticks: { pid: number; startTicks: number; cpuTicks: number }[] = [];
    await sliced(this.#table.pids(), { ms: this.#sliceMs, signal }, (pid) => {
      const line = this.#table.line(pid);
      if (line !== undefined) ticks.push({ pid, startTicks: line.startTicks, cpuTicks: line.ticks });
    });
    const base = { at, ticks: ticksOf(ticks) };
    this.#samples.keep(base);
    await sleep(MIN_AGE_MS, undefined, { signal });
    return base;
  }

  /** The process that a thread belongs to. */
  #groupOf(pid: number): number | undefined {
    const status = this.#files.text(`${this.#root}/${pid}/status`);
    const found = status === undefined ? null : /^Tgid:\t(\d+)/m.exec(status);
    return found === null ? undefined : Number(found[1]);
  }
}
