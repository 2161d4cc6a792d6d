import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { EngineUnavailableError } from "@llmc/errors";
import { spawnFailure } from "./errno.js";
import { findProgram } from "../find/find-program.js";
import type { Pipe } from "../streams/pipe.js";

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exit: Promise<Exit>;
}

export type Extra = number | "ignore" | "pipe";

export interface StartOptions {
  readonly cwd: string | undefined;
  readonly env: Record<string, string>;
  readonly stdin: "ignore" | "pipe";
  /** What the program gets as its descriptors from 3 on. */
  readonly extra: readonly Extra[];
  /** For its stderr. */
  readonly pipe?: Pipe | undefined;
}

export async function locate(name: string, path: string | undefined): Promise<string> {
  const program = await findProgram(name, path);
  if (program !== null) return program;
  throw new EngineUnavailableError(
    name,
    "no such program",
    `Install it, so that it is found in ${path ?? "the PATH"}.`,
  );
}

/** Starts the program as the leader of a session and group of its own. */
export async function start(program: string, argv: readonly string[], options: StartOptions): Promise<Started> {
  const { cwd, env, stdin, extra, pipe } = options;
  let output: Readable | undefined;
  try {
    const child = spawn(program, argv.slice(1), {
      argv0: argv[0],
      cwd,
      env,
      detached: true,
      stdio: [stdin, "pipe", pipe?.writer ?? "pipe", ...extra],
    });
    const exit = exitOf(child);
    output = pipe?.given();
    // A program may well end, or close its stdin, before it has read all: that is its business.
    child.stdin?.on("error", () => undefined);
    // Some errnos are thrown by spawn itself, some come as an event.
    await once(child, "spawn");
    const { pid, stdout } = child;
    const stderr = output ?? child.stderr;
    if (pid === undefined || stdout === null || stderr === null) throw new Error(`${program} has no pid or no pipes`);
    return { child, pid, stdout, stderr, exit };
  } catch (cause) {
    (output ?? pipe?.given())?.destroy();
    throw await spawnFailure(cause, program, cwd);
  }
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
}
