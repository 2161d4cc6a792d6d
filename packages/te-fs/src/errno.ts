import {
  InvalidPathError,
  MountTimeoutError,
  NotADirectoryError,
  NotFoundError,
  OpsError,
  PermissionDeniedError,
} from "@llmc/errors";

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
      return new PermissionDeniedError(path, { cause: thrown });
    case "EAGAIN":
      return new PermissionDeniedError(path, {
        hint: "Another program holds a lease on it: try again.",
        cause: thrown,
      });
    case "ENAMETOOLONG":
      return new InvalidPathError(path, "has a name longer than 255 bytes");
    case "ELOOP":
      return new InvalidPathError(path, "leads through too many links");
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
