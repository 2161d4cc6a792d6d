import { CancelledError } from "./call-errors.js";
import { OpsError } from "./ops-error.js";

/** Returns the error of a file operation whose signal was aborted: the signal's own reason (a deadline), else "cancelled". */
export function abortReason(signal: AbortSignal): OpsError {
  return OpsError.is(signal.reason) ? signal.reason : new CancelledError("The file operation");
}
