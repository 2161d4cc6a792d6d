// A change is written down before it is made, in files of the data dir that survive a crash, so the next server can undo
// it. Targets are locked by the folder's device and inode with the name, which is the same for every spelling.

export type { ChangeOptions } from "./store/change-options.js";
export type { Undone, UndoOptions } from "./undo/undo.js";
export { openUndo, undoFolder } from "./open-undo.js";
export { shortName } from "./store/entry-id.js";
export type { SettingNames } from "./undo/open-changes.js";
export type { Undo } from "./target/undo.js";
export type { Change } from "./store/change.js";
export { whoIs, atPath } from "./undo/at-path.js";
export { withLockedTargets, type RequestedTarget, withLockedTarget } from "./target/with-locked-targets.js";
export type { UndoNote } from "./store/undo-note.js";
export { ChangedMeanwhileError, persist } from "./replace/persist.js";
export { struckIfNot } from "./replace/put-in-place.js";
export { demandAsRead, replaceContent, type Computed } from "./replace/replace-content.js";
export { replaceTarget, type Replaced } from "./replace/replace-target.js";
export type { Temps } from "./temps/temps.js";
export { isMissing } from "./undo/projected-files.js";
export { Conflict } from "./undo/conflict.js";
export { pathOf, type UndoStep } from "./store/steps.js";
