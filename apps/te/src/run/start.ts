import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import type { Readable } from "node:stream";
import { getSystemErrorMap } from "node:util";
import { makePipes, type Exit } from "@llmc/te-run";

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

export interface Piped extends Started {
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
}

export interface Outlets {
  /** Lets both streams take one pipe, so that their lines keep their order. */
  readonly isMerged: boolean;
  /** Leaves stderr where te has it. */
  readonly keepsErrors: boolean;
}

/** Starts the command on pipes of the kernel. Node's own are sockets, which no program opens by /dev/stderr. */
export async function startPiped(argv: readonly string[], { isMerged, keepsErrors }: Outlets): Promise<Piped> {
  const [forOut, own] = await makePipes(isMerged || keepsErrors ? 1 : 2);
  const forErr = isMerged ? forOut : own;
  const { child, exit } = start(argv, [
    "inherit",
    forOut?.writer ?? "pipe",
    keepsErrors ? "inherit" : (forErr?.writer ?? "pipe"),
  ]);
  return { child, exit, stdout: forOut?.given() ?? child.stdout, stderr: own?.given() ?? child.stderr };
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
