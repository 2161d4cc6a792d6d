export { commandText, nameText } from "./command-text.js";
export { viewOf, type View, type ViewOptions } from "./own-view.js";
export {
  listProcesses,
  type ListedProcess,
  type ListQuery,
  type ProcessList,
  type SortKey,
} from "./list/list-processes.js";
export { processTree, type ProcessTreeFound, type TreeNode, type TreeQuery } from "./list/process-tree.js";
export { killProcess, type Killed, type KillOptions, type KillRequest, type Target } from "./kill/kill-process.js";
export { SIGNALS, type SignalName } from "./kill/signals.js";
export type { Outcome } from "./kill/watch-end.js";
export { ManagedProcesses, type AdoptManaged, type ManagedLimits, type StartManaged } from "./managed/registry.js";
export type { ManagedProcess } from "./managed/managed-process.js";
export { keyNamed, type Key } from "./managed/keys.js";
export { awaited, type Awaited } from "./managed/wait-for.js";
export type { Taken, TakeOptions } from "./managed/take.js";
export type { Why } from "./managed/wait.js";
export { drawScreen, type Screen } from "./managed/screen.js";
