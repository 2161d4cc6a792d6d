import {
  AlreadyExistsError,
  InvalidPathError,
  IsDirectoryError,
  MountTimeoutError,
  NotADirectoryError,
  NotFoundError,
  OpsError,
  PermissionDeniedError,
  WriteFailedError,
  type Advice,
} from "@llmc/errors";
import type { Work } from "./syscalls.js";

/** What a failed system call means to a caller who asked for `path`. What nobody foresaw passes through unchanged. */
export function fromErrno(thrown: unknown, path: string): unknown {
  if (OpsError.is(thrown)) return thrown;
  switch ((thrown as NodeJS.ErrnoException | null)?.code) {
    case "ENOENT":
      return new NotFoundError(path);
    case "ENOTDIR":
      return new NotADirectoryError(path);
    case "EACCES":
    case "EPERM":
      return new PermissionDeniedError(path, { hint: whoMay(), cause: thrown });
    case "EAGAIN":
      return new PermissionDeniedError(path, {
        hint: "Another program holds a lease on it: try again.",
        cause: thrown,
      });
    case "ENAMETOOLONG":
      return new InvalidPathError(path, "has a name longer than 255 bytes", "Choose a shorter name.");
    case "ELOOP":
      return new InvalidPathError(path, "leads through too many links", "Name what they lead to.");
    case "EEXIST":
    case "ENOTEMPTY":
      return new AlreadyExistsError(path);
    case "EISDIR":
      return new IsDirectoryError(path);
    case "ENOTCONN":
    case "ETIMEDOUT":
    case "EHOSTDOWN":
    case "EHOSTUNREACH":
    case "ECONNABORTED":
    case "ESTALE":
      return new MountTimeoutError(`of ${path}`);
    default:
      return thrown;
  }
}

function whoMay(): string {
  const uid = process.geteuid?.();
  if (uid === 0) return "Not even root may: it is immutable (see lsattr), or its mount forbids it.";
  return `The server runs as uid ${uid}. Use another path, or ask its owner.`;
}

/** Why the disk did not take it, and what the caller can do about that. */
const REFUSED: Readonly<Record<string, readonly [problem: string, hint: Advice]>> = {
  ENOSPC: ["the disk is full", { id: "free-space" }],
  EDQUOT: ["the disk quota is used up", "Delete something of this user's, then try again."],
  EROFS: ["the file system is read-only", "Use a place outside of that mount, or have the operator remount it."],
  EFBIG: ["it would be larger than the file system allows", "Spread it over several files."],
  EIO: ["the disk reports an input/output error", "Use another disk; the operator finds more in dmesg."],
  EMLINK: ["the folder cannot take another entry", "Use another folder."],
  EBUSY: ["it is in use by the system", "Unmount what is mounted there first, or use another place."],
  ETXTBSY: ["it is a program that is running", "Stop that first."],
  EINVAL: ["the file system does not allow that", "Use another name, or another file system."],
  EXDEV: ["it lies on another file system", "Copy it there, then delete it here."],
  ENOTSUP: ["the file system does not support that", "Use another file system."],
};

/** The same for a call that was to change something. */
export function fromChangeErrno(thrown: unknown, path: string): unknown {
  const refused = REFUSED[(thrown as NodeJS.ErrnoException | null)?.code ?? ""];
  if (refused === undefined || OpsError.is(thrown)) return fromErrno(thrown, path);
  const [problem, hint] = refused;
  return new WriteFailedError(path, problem, { hint, cause: thrown });
}

/** Whether it failed because the disk takes no more. */
export function isDiskFull(thrown: unknown): boolean {
  const cause = OpsError.is(thrown) ? thrown.cause : thrown;
  return (cause as NodeJS.ErrnoException | null | undefined)?.code === "ENOSPC";
}

/** A look for a file, in the middle of work that changes it. */
export function* foundAs<T>(shown: string, work: Work<T>): Work<T> {
  try {
    return yield* work;
  } catch (thrown) {
    throw fromErrno(thrown, shown);
  }
}

/** Work on one of several files: what goes wrong with it is told in its name. */
export function* toldAs<T>(shown: string, work: Work<T>): Work<T> {
  try {
    return yield* work;
  } catch (thrown) {
    throw fromChangeErrno(thrown, shown);
  }
}
