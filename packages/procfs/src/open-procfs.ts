import { KernelFiles } from "./read/kernel-files.js";
import { kernelUnits, type KernelUnits } from "./read/kernel-units.js";
import { Machine } from "./machine/machine.js";
import { Processes } from "./process/processes.js";
import { userNames, type UserName } from "./read/users.js";

export interface ProcfsOptions {
  /** Another folder that looks like /proc. */
  readonly root?: string;
  readonly cgroupRoot?: string;
  readonly passwd?: string;
  /** How long one reading keeps the event loop before others get their turn. */
  readonly sliceMs?: number;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
}

/** One for each server: what is known of processes, and the samples that CPU figures need, are kept in it. */
export interface Procfs {
  readonly processes: Processes;
  readonly machine: Machine;
  readonly units: KernelUnits;
  readonly userName: UserName;
}

const SLICE_MS = 4;

export function openProcfs(options: ProcfsOptions = {}): Procfs {
  const { root = "/proc", cgroupRoot = "/sys/fs/cgroup", passwd = "/etc/passwd", sliceMs = SLICE_MS } = options;
  const now = options.now ?? (() => performance.now());
  const files = new KernelFiles();
  const units = kernelUnits(`${root}/self/auxv`);
  return {
    processes: new Processes({ root, files, units, sliceMs, now }),
    machine: new Machine(root, cgroupRoot, files),
    units,
    userName: userNames(passwd, now),
  };
}
