// Facts come first and judgement second. One look collects every figure over a real interval, then `wrong` compares
// the figures with thresholds. A figure that this kernel or container hides is null and never a made-up 0, so a reader
// can tell "nothing wrong" from "nothing known".

export { openSystem, type System, type SystemOptions } from "./open-system.js";
export type { Disk, Disks } from "./disks/read-disks.js";
export { usedPercent, inodesPercent, type Space, type StatFs } from "./disks/space.js";
export type { CpuInfo, HardwareInfo, Info, NetworkInfo, OsInfo } from "./info/info.js";
export type { Service, Services, UnitDetails } from "./services/services.js";
export type { LogEntry, LogPage, LogQuery } from "./logs/entry.js";
export { fold, isBadEntry, templateOf, type Folded, type Template } from "./logs/fold.js";
export { foldLines, type Fold, type FoldedLine } from "./logs/fold-lines.js";
export type { Logs } from "./logs/logs.js";
export { momentOf } from "./logs/when.js";
export { durationText, percentText, plainText, sizeText } from "./wrong/text.js";
export type { InterfaceRate } from "./measure/network.js";
export type { CpuUse } from "./measure/cpu.js";
export type { MemoryUse } from "./measure/memory.js";
export type { Limits } from "./look/limits.js";
export type { Snapshot } from "./snapshot/snapshot.js";
export type { Summary } from "./snapshot/summary.js";
export type { Anomaly, NextStep, Thresholds } from "./wrong/anomaly.js";
