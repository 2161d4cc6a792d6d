// Reads are synchronous, in slices of 4 ms, because a file of /proc costs microseconds and a trip through the thread
// pool costs more than the read. The roots are arguments, so that a recorded tree reads as a machine does.

export { openProcfs, type Procfs, type ProcfsOptions } from "./open-procfs.js";
export type { CgroupLimits } from "./machine/cgroup-limits.js";
export { KernelFiles, type Missing } from "./read/kernel-files.js";
export type { KernelUnits } from "./read/kernel-units.js";
export type { CpuTimes, InterfaceCounters, Machine, MachineStat, Pressure } from "./machine/machine.js";
export type { Mount } from "./machine/mounts.js";
export type { CgroupPlace } from "./process/cgroup.js";
export type { InputWait } from "./process/input-wait.js";
export type { Listener } from "./process/listeners.js";
export type { Process } from "./process/process-table.js";
export type { Life, MeasuredProcess, Processes, Reading, ReadOptions } from "./process/processes.js";
export type { UserName } from "./read/users.js";
export { sliced, type Slices } from "./read/sliced.js";
