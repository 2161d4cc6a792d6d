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
