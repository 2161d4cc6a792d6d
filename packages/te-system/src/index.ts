export { openSystem, type System, type SystemOptions } from "./open-system.js";
export type { Disk, Disks } from "./disks/read-disks.js";
export { usedPercent, inodesPercent, type Space, type StatFs } from "./disks/space.js";
export type { InterfaceRate } from "./measure/network.js";
export type { CpuUse } from "./measure/cpu.js";
export type { MemoryUse } from "./measure/memory.js";
export type { Limits } from "./limits.js";
export type { Snapshot } from "./snapshot.js";
export type { Anomaly, Thresholds } from "./wrong/anomaly.js";
