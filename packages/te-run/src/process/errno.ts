import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import {
  EngineUnavailableError,
  InternalError,
  InvalidArgumentError,
  NotADirectoryError,
  NotFoundError,
  type OpsError,
  PermissionDeniedError,
} from "@llmc/errors";

/** Why a program did not start. The one place where errno values of spawn become errors of ours. */
export async function spawnFailure(cause: unknown, program: string, cwd: string | undefined): Promise<OpsError> {
  const code = errnoOf(cause);
  if (code === undefined) return new InternalError(cause);
  // The kernel gives one errno for the working folder and for the program; only a look at the folder tells them apart.
  const folder = cwd === undefined ? undefined : await folderProblem(cwd);
  if (folder !== undefined) return folder;
  return programProblem(code, cause, program);
}

export function errnoOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !("errno" in thrown) || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

function programProblem(code: string, cause: unknown, program: string): OpsError {
  switch (code) {
    case "E2BIG":
      return new InvalidArgumentError(
        `The arguments for ${program} are longer than the kernel takes`,
        "Pass fewer arguments, or the data on stdin; one argument holds at most 128 KiB.",
      );
    case "EACCES":
    case "EPERM":
      return new PermissionDeniedError(program, {
        hint: "The server's user may not execute it (mode bits, a noexec mount, or a security module).",
        cause,
      });
    case "EAGAIN":
      return busy(program, "the limit of processes is reached", "Try again when fewer processes run.");
    case "ENOMEM":
      return busy(program, "there is not enough memory to start it", "Free memory, then try again.");
    case "EMFILE":
    case "ENFILE":
      return busy(program, "the limit of open files is reached", "Try again when fewer calls run.");
    case "ETXTBSY":
      return busy(program, "its file is being written", "Try again in a moment.");
    case "ENOENT":
    case "ENOEXEC":
    case "ELIBBAD":
      return new EngineUnavailableError(
        program,
        "this machine cannot execute it",
        "Reinstall it: it went away, was built for another machine, or its interpreter (#!) or loader is missing.",
      );
    default:
      return new InternalError(cause);
  }
}

function busy(program: string, problem: string, hint: string): OpsError {
  return new EngineUnavailableError(program, problem, hint);
}

/** What is wrong with a folder in which something was to run; undefined where it would do. */
export async function folderProblem(cwd: string): Promise<OpsError | undefined> {
  try {
    if (!(await stat(cwd)).isDirectory()) return new NotADirectoryError(cwd);
    await access(cwd, constants.X_OK);
    return undefined;
  } catch (cause) {
    switch (errnoOf(cause)) {
      case "ENOENT":
        return new NotFoundError(cwd, "The working folder must exist.");
      case "ENOTDIR":
        return new NotADirectoryError(cwd);
      case "EACCES":
        return new PermissionDeniedError(cwd, { cause });
      default:
        return undefined;
    }
  }
}
