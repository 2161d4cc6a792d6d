import type { Bytes } from "../kernel/syscalls.js";
import type { FileIdentity } from "../open-file.js";

/** Which state of a file each session last saw, to notice what somebody else did to it since. */
export interface ReadMarks {
  /** The session has read, or itself written, the file in this state. */
  saw(session: string, real: Bytes, stat: FileIdentity): void;
  forget(session: string, real: Bytes): void;
  /** Whether the file is in another state than the session last saw; false when it never saw it. */
  isStale(session: string, real: Bytes, stat: FileIdentity): boolean;
}
