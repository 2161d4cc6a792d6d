import { readFile, readdir } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isDead, readStat, type ProcStat } from "./proc-stat.js";

/** So many processes are looked at before the event loop gets a turn: about half a millisecond. */
const SLICE = 64;

/**
 * All that a program has started and that still lives, wherever it went. A process belongs to the tree when its parent
 * does, when it is in the program's session, or when its environment carries the mark: setsid and a double fork leave
 * the first two behind, `env -i` the third. (Both at once before we ever looked is what only a PID namespace holds.)
 */
export class ProcessTree {
  readonly #root: ProcStat | undefined;
  readonly #rootPid: number;
  readonly #mark: Buffer;
  readonly #isReaped: () => boolean;
  readonly #members = new Map<number, ProcStat>();
  /** Younger than the program, looked at, and not marked: start time by pid. */
  readonly #strangers = new Map<number, number>();

  /** To be made right after the start, before the event loop can reap the program: until then the pid is its own. */
  constructor(rootPid: number, mark: string, isReaped: () => boolean) {
    this.#rootPid = rootPid;
    this.#isReaped = isReaped;
    this.#root = readStat(rootPid);
    this.#mark = Buffer.from(mark);
    if (this.#root !== undefined) this.#members.set(rootPid, this.#root);
  }

  /** Looks for members that appeared or ended since the last look. */
  async scan(): Promise<void> {
    const rows = await this.#younger();
    this.#renew(rows);
    for (const row of rows) {
      if (await this.#isMarked(row)) this.#members.set(row.pid, row);
    }
    // As long as the leader is not reaped, its number cannot be another session's.
    const sessionIsOurs = !this.#isReaped();
    while (rows.filter((row) => this.#adopt(row, sessionIsOurs)).length > 0);
  }

  /** Whether any known member still lives. Stops at the first one and forgets the dead, so asking often is cheap. */
  isAlive(): boolean {
    for (const pid of this.members()) {
      if (this.#root === undefined || this.#verified(pid) !== undefined) return true;
      this.#members.delete(pid);
    }
    return false;
  }

  /** The pids that the last scan found living. Without a readable /proc the program is the only one we know of. */
  members(): number[] {
    if (this.#root === undefined) return this.#isReaped() ? [] : [this.#rootPid];
    return [...this.#members.keys()];
  }

  /**
   * Signals every group that has a living member, but none of `spared`, to which it adds them. A group takes the signal
   * at once as a whole, so nothing in it can fork away from under it. It is ours as a whole: the program was made the
   * leader of a new session, and a group never spans two.
   */
  signal(signal: NodeJS.Signals, spared: Set<number>): void {
    if (this.#root === undefined && !this.#isReaped()) send(-this.#rootPid, signal);
    for (const member of this.#members.values()) {
      if (spared.has(member.group)) continue;
      const group = this.#verified(member.pid)?.group;
      // kill(-1) would mean everybody, kill(0) ourselves.
      if (group === undefined || group <= 1 || spared.has(group)) continue;
      spared.add(group);
      send(-group, signal);
    }
  }

  /** The member as it is now; undefined when it has ended, whoever has its pid today. */
  #verified(pid: number): ProcStat | undefined {
    const now = readStat(pid);
    return now !== undefined && now.start === this.#members.get(pid)?.start && !isDead(now) ? now : undefined;
  }

  async #younger(): Promise<ProcStat[]> {
    const since = this.#root?.start;
    if (since === undefined) return [];
    const pids = (await readdir("/proc")).filter((name) => /^[0-9]+$/.test(name)).map(Number);
    const rows: ProcStat[] = [];
    for (const [index, pid] of pids.entries()) {
      if (index % SLICE === SLICE - 1) await nextTurn();
      const row = readStat(pid);
      if (row !== undefined && row.start >= since && pid !== process.pid && !isDead(row)) rows.push(row);
    }
    return rows;
  }

  #renew(rows: readonly ProcStat[]): void {
    const living = new Map(rows.map((row) => [row.pid, row]));
    for (const [pid, member] of this.#members) {
      const now = living.get(pid);
      if (now?.start === member.start) this.#members.set(pid, now);
      else this.#members.delete(pid);
    }
  }

  async #isMarked(row: ProcStat): Promise<boolean> {
    if (this.#members.has(row.pid) || this.#strangers.get(row.pid) === row.start) return false;
    // Its memory may be locked for as long as it waits in the kernel, and we would wait with it. Next time.
    if (row.state === "D") return false;
    const environment = await readFile(`/proc/${row.pid}/environ`).catch(() => undefined);
    const marked = environment?.includes(this.#mark) === true;
    // Empty is also what the kernel shows in the middle of an exec: that one is looked at again.
    if (!marked && environment?.length !== 0) this.#strangers.set(row.pid, row.start);
    // The pid may have changed hands while the file was read.
    return marked && readStat(row.pid)?.start === row.start;
  }

  #adopt(row: ProcStat, sessionIsOurs: boolean): boolean {
    if (this.#members.has(row.pid)) return false;
    const ours = this.#members.has(row.parent) || (sessionIsOurs && row.session === this.#rootPid);
    if (ours) this.#members.set(row.pid, row);
    return ours;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: it was faster. EPERM: another user's; it is counted among the survivors.
  }
}
