import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hasCode } from "@llmc/te-path";

/** What became of a process that left its mark somewhere. `unseen`: that cannot be told from here. */
export type Fate = "alive" | "dead" | "unseen";

interface Mark {
  /** Where its pid means something. */
  readonly sight: string;
  readonly pid: number;
  readonly start: number;
}

interface ProcStat {
  readonly pid: number;
  readonly ended: boolean;
  /** Clock ticks since boot: with the pid it names one process for good, for pids are used again. */
  readonly start: number;
}

const MARK = /^llmc1 (\S{1,200}) (\d{1,10}) (\d{1,20})$/;
/** Longer than any mark, and small enough to be read at one go. */
export const MARK_BYTES = 256;

let own: Mark | undefined;

/** One line that names this process among all that ever run on this machine. */
export function ownMark(): string {
  const { sight, pid, start } = (own ??= readOwn());
  return `llmc1 ${sight} ${pid} ${start}`;
}

export function fateOf(text: string): Fate {
  const [, sight, pid, start] = MARK.exec(text) ?? [];
  if (sight === undefined || sight !== (own ??= readOwn()).sight) return "unseen";
  try {
    const stat = readStat(String(Number(pid)));
    return stat.start === Number(start) && !stat.ended ? "alive" : "dead";
  } catch (thrown) {
    // A /proc that hides other users' processes may hide one of ours as well (one with capabilities of its file).
    return hasCode(thrown, "ENOENT", "ESRCH") && seesAll() ? "dead" : "unseen";
  }
}

/**
 * A pid means something within one boot and one pid namespace: containers that share a folder do not see each other's
 * processes, or see others under these numbers. In another time namespace a process seems to have started at another time.
 */
function readOwn(): Mark {
  try {
    const sight = [
      readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim(),
      namespace("pid"),
      namespace("time"),
    ];
    const { pid, start } = readStat("self");
    // A /proc of another pid namespace knows us by another number, and we cannot name that namespace.
    if (pid === process.pid) return { sight: sight.join("/"), pid, start };
  } catch {
    // Without /proc nobody can be seen, and others take us for one whom they cannot see.
  }
  return { sight: randomUUID(), pid: process.pid, start: 0 };
}

function namespace(kind: string): string {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`);
  } catch {
    return `${kind}:none`;
  }
}

/** The first process of a pid namespace is there as long as the namespace. */
function seesAll(): boolean {
  try {
    return readStat("1").pid === 1;
  } catch {
    return false;
  }
}

function readStat(pid: string): ProcStat {
  const line = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The name in parentheses can itself hold spaces and parentheses: the fields begin behind the last one.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const field = (number: number): number => Number(fields[number - 3]);
  // Killed and not yet reaped; while other threads of it are still in a system call, it is not over.
  const ended = fields[0] === "Z" && field(20) <= 1;
  return { pid: Number.parseInt(line, 10), ended, start: field(22) };
}
