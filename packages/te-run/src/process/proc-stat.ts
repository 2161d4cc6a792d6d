import { closeSync, openSync, readSync } from "node:fs";

export interface ProcStat {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Group that reads the keys of the terminal; -1 without a terminal. */
  readonly foreground: number;
  readonly threads: number;
  /** Clock ticks since boot. With the pid it names one process for good: pids are used again. */
  readonly start: number;
}

const buffer = Buffer.allocUnsafeSlow(1024);

/** One line of the kernel's memory, read without waiting for the process; undefined when there is none of that pid. */
export function readStat(pid: number): ProcStat | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(`/proc/${pid}/stat`, "r");
    return parse(pid, buffer.toString("latin1", 0, readSync(fd, buffer)));
  } catch {
    // Gone between the listing and the reading, hidden from us, or there is no /proc at all.
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Ended, but not reaped. A main thread that ended before the others shows Z as well, and its process lives. */
export function isDead(stat: ProcStat): boolean {
  return (stat.state === "Z" || stat.state === "X") && stat.threads <= 1;
}

function parse(pid: number, line: string): ProcStat {
  // The name in parentheses can itself hold spaces and parentheses: the fields begin behind the last one.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const number = (field: number): number => Number(fields[field - 3]);
  return {
    pid,
    state: fields[0] ?? "",
    parent: number(4),
    group: number(5),
    session: number(6),
    foreground: number(8),
    threads: number(20),
    start: number(22),
  };
}
