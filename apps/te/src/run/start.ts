import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import type { Readable } from "node:stream";
import { getSystemErrorMap } from "node:util";
import type { Exit } from "@llmc/te-run";

export interface Started {
  readonly child: ChildProcess;
  /** Rejects if the program could not be executed. */
  readonly exit: Promise<Exit>;
}

/** Starts the person's own command: same rights, folder, environment, terminal and process group. */
export function start([program = "", ...args]: readonly string[], stdio: StdioOptions): Started {
  const child = spawn(program, args, { stdio });
  const exit = new Promise<Exit>((resolve, reject) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", reject);
  });
  return { child, exit };
}

/** Leaves a stream to `cat`, for programs in the background that still print when their command has ended. */
export function handOn(source: Readable, target: 1 | 2 | "ignore"): void {
  spawn("cat", [], { stdio: [source, target, "ignore"] }).unref();
}

export interface NotExecuted {
  readonly code: 126 | 127;
  readonly problem: string;
}

/** Tells why a program was not executed, as a shell does. */
export function notExecuted(name: string, thrown: unknown): NotExecuted {
  const { code, errno = 0 } = thrown as NodeJS.ErrnoException;
  if (code === "ENOENT" || name === "") return { code: 127, problem: `${name}: command not found` };
  const [, message = code] = getSystemErrorMap().get(errno) ?? [];
  return { code: 126, problem: `${name}: ${message}` };
}
