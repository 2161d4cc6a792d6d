// A path is walked by descriptor and never opened by its checked string, and all later work uses the open descriptor.
// Work is a generator of system calls, so that one driver decides where each call runs and calls on dead mounts can be
// given up.

export { type Boundary, Boundaries, type ForbiddenPath } from "./boundary/boundary.js";
export { foundAs, isDiskFull, fromChangeErrno, fromErrno, toldAs } from "./kernel/errno.js";
export { closeSoon } from "./kernel/close-soon.js";
export { PROC_FD } from "./kernel/proc-fd.js";
export {
  close,
  inFolder,
  lstat,
  readlink,
  type Work,
  hasCode,
  readdir,
  rename,
  fstat,
  type Descriptor,
  fill,
  open,
  steadily,
  waitFor,
  type Stat,
  put,
  truncate,
  fsync,
  link,
  unlink,
  chmod,
  chown,
  setTime,
  statfs,
  mkdir,
  rmdir,
  listAtOnce,
  lstatMany,
  mayWrite,
  sniffMany,
  type Syscall,
  enterListing,
  putOnce,
} from "./kernel/syscalls.js";
export { placeKey, walkToTarget, walk } from "./scope/walk.js";
export type { Target, Place, Found } from "./scope/target.js";
export type { Scope, OpenScope, Guards } from "./scope/scope.js";
export { openRegular } from "./scope/open-regular.js";
export { openScope, type ScopeOptions } from "./scope/open-scope.js";
export { HashCache, hashOf, type ContentMark, sha256Of, sha256OfBytes } from "./content/content-hash.js";
export { type Kind, kindOf, listedKindOf } from "./kernel/kind.js";
export { printOf, printsIn, TreeMarks } from "./copy/tree-marks.js";
export { Progress } from "./tree/progress.js";
export { survey, roomOf, type Survey, type Surveyed } from "./tree/survey.js";
export { withEntry, withOpen } from "./content/open-entry.js";
export { drive, type Network, driveNow, SYNC_BYTES } from "./kernel/drive.js";
export { done } from "./kernel/done.js";
export { putSparse } from "./content/put-sparse.js";
export { eachListed, isEmpty } from "./tree/each-listed.js";
export { FOLDER, LOOK } from "./scope/root.js";
export { refuseExecuted, type SourceWish, refuseBecome } from "./tree/refuse-executed.js";
export { maybe } from "./copy/copy-attributes.js";
export { placeNew } from "./copy/place-new.js";
export { refuseRemoval } from "./scope/removal.js";
export { syncFolder } from "./content/sync-folder.js";
export { copyTree, discard, type Copied } from "./copy/copy-tree.js";
export type { Name } from "./copy/name.js";
export { removeTree } from "./tree/remove-tree.js";
export { walkBelow } from "./tree/walk-below.js";
export { LISTED_AT_ONCE, type Dir, type Listed, type ListedKind } from "./kernel/listing.js";
export type { Looked, Unseen } from "./kernel/lstat-many.js";
export { type Entered, type FolderPath, ClosedHereError, Descent } from "./tree/descent.js";
export { type Ignoring, ignoringAt, ignoringIn, below, readRules } from "./tree/gitignore.js";
export { type ExistingTarget, demandExisting } from "./scope/existing-target.js";
export { Fingerprints } from "./copy/fingerprints.js";
export { specialError } from "./copy/copy-leaf.js";
export { hasFile, refuseWrite, type FileTarget } from "./content/refuse-write.js";
export { READ_FILE, READ_FOLDER, READ_NAME } from "./kernel/flags.js";
export { isFileError } from "./kernel/is-file-error.js";
export { SNIFFED_BYTES, textIn, type FileText, type Sniffed } from "./kernel/sniff-text.js";
export { Mounts } from "./kernel/mounts.js";
