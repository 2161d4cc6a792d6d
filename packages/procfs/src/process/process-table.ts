import type { KernelFiles } from "../read/kernel-files.js";
import type { KernelUnits } from "../read/kernel-units.js";
import { sliced, type Slices } from "../read/sliced.js";
import { readIdentity, type Identity } from "./identity.js";
import { parseStat, type StatLine } from "./parse-stat.js";

/** One process, as it was when it was read. Names and arguments are what the process chose: escape them to show them. */
export interface Process {
  readonly pid: number;
  /** With the pid it names one process for ever: a pid alone is given again. */
  readonly startTicks: number;
  readonly ppid: number;
  readonly group: number;
  readonly session: number;
  readonly uid: number | null;
  readonly comm: string;
  /** Null where it is not ours to read; empty for kernel threads and zombies. */
  readonly argv: readonly string[] | null;
  readonly isKernelThread: boolean;
  /** As ps has it: R S D Z T t I X. */
  readonly state: string;
  readonly nice: number;
  readonly threads: number;
  readonly rssBytes: number;
  /** Time on a processor since its start, in ticks of the kernel. */
  readonly cpuTicks: number;
}

interface Known extends Identity {
  readonly startTicks: number;
  readonly comm: string;
  readonly until: number;
}

const PF_KTHREAD = 0x0020_0000;
/** A process that starts may change its user and its command line; later it seldom does. */
const YOUNG_TICKS = 500;
const YOUNG_MS = 1000;
const KNOWN_MS = 20_000;

/** The processes below one /proc. Who a process is, is kept from one reading to the next. */
export class ProcessTable {
  readonly #root: string;
  readonly #files: KernelFiles;
  readonly #units: KernelUnits;
  readonly #now: () => number;
  #known = new Map<number, Known>();

  constructor(root: string, files: KernelFiles, units: KernelUnits, now: () => number) {
    this.#root = root;
    this.#files = files;
    this.#units = units;
    this.#now = now;
  }

  /** All that can be seen, by pid. What ends meanwhile is left out. */
  async all(slices: Slices): Promise<Process[]> {
    const pids = this.pids();
    const before = this.#known;
    const known = new Map<number, Known>();
    const found: Process[] = [];
    const uptimeTicks = this.uptimeSeconds() * this.#units.ticksPerSecond;
    await sliced(pids, slices, (pid) => {
      const line = this.line(pid);
      if (line === undefined) return;
      const identity = this.#identity(pid, line, before.get(pid), uptimeTicks);
      known.set(pid, identity);
      found.push(this.#process(pid, line, identity));
    });
    this.#known = known;
    return found;
  }

  /** Read anew, whatever is known of it. */
  one(pid: number): Process | undefined {
    const line = this.line(pid);
    return line && this.#process(pid, line, readIdentity(this.#files, this.#folder(pid)));
  }

  line(pid: number): StatLine | undefined {
    const bytes = this.#files.bytes(`${this.#folder(pid)}/stat`);
    return bytes && parseStat(bytes);
  }

  pids(): number[] {
    const names = this.#files.names(this.#root) ?? [];
    return names.filter((name) => /^\d+$/.test(name)).map(Number);
  }

  uptimeSeconds(): number {
    return Number.parseFloat(this.#files.text(`${this.#root}/uptime`) ?? "") || 0;
  }

  #identity(pid: number, line: StatLine, known: Known | undefined, uptimeTicks: number): Known {
    const now = this.#now();
    const { startTicks, comm } = line;
    if (known !== undefined && known.startTicks === startTicks && known.comm === comm && now < known.until)
      return known;
    const isYoung = uptimeTicks - startTicks < YOUNG_TICKS;
    // Spread by pid, so that not all are read again in one call.
    const until = now + (isYoung ? YOUNG_MS : KNOWN_MS * (1 + (pid % 16) / 16));
    return { ...readIdentity(this.#files, this.#folder(pid)), startTicks, comm, until };
  }

  #process(pid: number, line: StatLine, { uid, argv }: Identity): Process {
    return {
      pid,
      startTicks: line.startTicks,
      ppid: line.ppid,
      group: line.group,
      session: line.session,
      uid,
      comm: line.comm,
      argv,
      isKernelThread: (line.flags & PF_KTHREAD) !== 0,
      state: line.state,
      nice: line.nice,
      threads: line.threads,
      rssBytes: line.rssPages * this.#units.pageBytes,
      cpuTicks: line.ticks,
    };
  }

  #folder(pid: number): string {
    return `${this.#root}/${pid}`;
  }
}
