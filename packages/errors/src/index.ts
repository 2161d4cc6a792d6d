export { CODES, type ErrorCode } from "./codes.js";
export { OpsError, InternalError, type ErrorEnvelope, type OpsErrorOptions } from "./ops-error.js";
export {
  AlreadyExistsError,
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
  UnsupportedContentError,
  WriteFailedError,
  type PatchCount,
} from "./fs-errors.js";
export {
  CancelledError,
  ConfirmationError,
  EngineUnavailableError,
  FeatureDisabledError,
  HandleExpiredError,
  HandleNotFoundError,
  InvalidArgumentError,
  MountTimeoutError,
  RateLimitedError,
  TimeoutError,
  UnknownToolError,
} from "./call-errors.js";
