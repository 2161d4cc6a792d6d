// A pid alone never identifies a process. Every list, signal and managed process compares the start time as well,
// because the kernel reuses pids. The registry of managed processes starts nothing itself; it takes a `Launch` of
// te-shell and waits for events, so no program is polled.

export { commandText, nameText } from "./view/command-text.js";
export { viewOf, type View, type ViewOptions } from "./view/own-view.js";
export { listProcesses, type ListQuery, type ProcessList, type SortKey, type Told } from "./list/list-processes.js";
export { processTree, type ProcessTreeFound, type TreeNode, type TreeQuery } from "./list/process-tree.js";
export { killProcess, type Killed, type KillOptions, type KillRequest, type Target } from "./kill/kill-process.js";
export { SIGNALS, type SignalName } from "./kill/signals.js";
export type { Outcome } from "./kill/watch-end.js";
export { ManagedProcesses, type AdoptManaged, type ManagedLimits, type StartManaged } from "./managed/registry.js";
export type { ManagedProcess } from "./managed/managed-process.js";
export { keyNamed, type Key } from "./managed/keys.js";
export { promptless } from "./managed/promptless.js";
export { awaited, type Awaited } from "./managed/wait-for.js";
export type { Taken, TakeOptions } from "./managed/take.js";
export type { Why } from "./managed/wait.js";
export { drawScreen, type Screen } from "./managed/screen.js";
