import type { MeasuredProcess, Procfs } from "@llmc/procfs";

export interface StuckProcess {
  readonly process: MeasuredProcess;
  readonly forMs: number;
}

/** What the processes tell of the machine's health. */
export interface ProcessFacts {
  readonly all: readonly MeasuredProcess[];
  /** Ended, and nobody asked how. */
  readonly zombies: readonly StuckProcess[];
  /** Waiting in the kernel for a disk or a server, and nothing else. */
  readonly waiting: readonly StuckProcess[];
}

interface Mark {
  readonly startTicks: number;
  readonly state: string;
  readonly cpuTicks: number;
  readonly since: number;
}

const EVERY_MS = 2000;
/** A look costs about 20 µs a process: half a percent of the time at most. */
const EVERY_MS_PER_PROCESS = 4;

/** Looks at all processes now and then, to see what stays as it is. */
export class ProcessWatch {
  readonly #procfs: Procfs;
  readonly #now: () => number;
  #marks = new Map<number, Mark>();
  #facts: ProcessFacts = { all: [], zombies: [], waiting: [] };
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(procfs: Procfs, now: () => number) {
    this.#procfs = procfs;
    this.#now = now;
  }

  get isDue(): boolean {
    const every = Math.max(EVERY_MS, EVERY_MS_PER_PROCESS * this.#facts.all.length);
    return this.#now() - this.#lookedAt >= every;
  }

  /** Of the last look, or of one at most so old. */
  async facts(maxAgeMs: number, signal: AbortSignal | undefined): Promise<ProcessFacts> {
    if (this.#now() - this.#lookedAt > maxAgeMs || this.isDue) await this.#look(signal);
    return this.#facts;
  }

  async #look(signal: AbortSignal | undefined): Promise<void> {
    const { processes } = await this.#procfs.processes.read({ signal });
    const at = this.#now();
    const marks = new Map<number, Mark>();
    for (const { pid, startTicks, state, cpuTicks } of processes) {
      if (state !== "Z" && state !== "D") continue;
      const before = this.#marks.get(pid);
      const isSame = before?.startTicks === startTicks && before.state === state && before.cpuTicks === cpuTicks;
      marks.set(pid, { startTicks, state, cpuTicks, since: isSame ? before.since : at });
    }
    this.#marks = marks;
    const stuck = (wanted: string): StuckProcess[] =>
      processes.flatMap((process) => {
        const mark = process.state === wanted ? marks.get(process.pid) : undefined;
        return mark === undefined ? [] : [{ process, forMs: at - mark.since }];
      });
    this.#facts = { all: processes, zombies: stuck("Z"), waiting: stuck("D") };
    this.#lookedAt = at;
  }
}
