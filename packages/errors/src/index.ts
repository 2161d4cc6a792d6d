// An error is made from facts and carries a code, so that each surface can word it. A remedy names the next step without
// naming a tool, an argument or a setting.

export { CODES, type ErrorCode } from "./codes.js";
export { OpsError, InternalError, type ErrorEnvelope, type OpsErrorOptions } from "./ops-error.js";
export { several, type Advice, type CommandList, type MachineTopic, type Remedy, type Words } from "./remedy.js";
export {
  AlreadyExistsError,
  HalfDoneError,
  InvalidPathError,
  LinkOutsideError,
  IsDirectoryError,
  NoRootsError,
  NotADirectoryError,
  NotFoundError,
  OutputTooLargeError,
  OutsideRootsError,
  PatchCountMismatchError,
  PatchFailedError,
  PermissionDeniedError,
  ShaMismatchError,
  StaleFileError,
  UndoConflictError,
  UndoNotFoundError,
  UndoNotKeptError,
  UndoneAlreadyError,
  UnsupportedContentError,
  WriteFailedError,
  type PatchCount,
} from "./fs-errors.js";
export {
  CancelledError,
  CommandNotAllowedError,
  ConfirmationError,
  EngineUnavailableError,
  FeatureDisabledError,
  HandleExpiredError,
  HandleNotFoundError,
  InvalidArgumentError,
  KillForbiddenError,
  ManagedProcessNotFoundError,
  MountTimeoutError,
  ProcessLimitError,
  ProcessNotFoundError,
  RateLimitedError,
  TimeoutError,
  UnitNotFoundError,
  UnknownToolError,
} from "./call-errors.js";
export { abortReason } from "./abort-reason.js";
