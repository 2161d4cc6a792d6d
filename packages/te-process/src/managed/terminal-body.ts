import { constants } from "node:os";
import { EngineUnavailableError } from "@llmc/errors";
import type { Launch } from "@llmc/te-shell";
import type { Body } from "./body.js";
import { endOf, endOfFailure, FIRST_CHARS, textOf, withLimit } from "./pipes-body.js";

/** What is used of node-pty. */
interface Pty {
  readonly pid: number;
  onData(take: (chunk: string | Buffer) => void): unknown;
  onExit(take: (end: { exitCode: number; signal?: number }) => void): unknown;
  write(data: string | Buffer): void;
  resize(cols: number, rows: number): void;
  pause(): void;
  resume(): void;
}

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** Makes terminals of our own. */
export interface Terminals {
  start(launch: Launch, size: Size): Body;
}

/** Null where node-pty is not installed, or not built for this machine. */
export async function findTerminals(): Promise<Terminals | null> {
  try {
    const { spawn } = await import("@lydell/node-pty");
    return { start: (launch, size) => terminalBody(launch, size, spawn) };
  } catch {
    return null;
  }
}

type Spawn = (
  file: string,
  args: string[],
  options: { cols: number; rows: number; cwd: string; env: Record<string, string>; name: string; encoding: null },
) => Pty;

function terminalBody(launch: Launch, { cols, rows }: Size, spawn: Spawn): Body {
  let isOver = false;
  const pty = launch.startInTerminal(
    ({ file, args, cwd, env }) =>
      started(() =>
        spawn(file, [...args], {
          cols,
          rows,
          cwd,
          env: { ...env },
          name: env["TERM"] ?? "xterm-256color",
          encoding: null,
        }),
      ),
    () => isOver,
  );
  let printed = "";
  let takeOutput: (chunk: Buffer) => void = () => undefined;
  const ended = new Promise<{ exitCode: number; signal?: number }>((resolve) => {
    pty.onExit((end) => {
      isOver = true;
      resolve(end);
    });
  }).then(async ({ exitCode, signal }) => {
    await launch.end();
    const failure = await launch.failure({ exitCode, printed });
    const limit = launch.limitHit();
    await launch.release();
    if (failure !== undefined) {
      takeOutput(Buffer.from(`${textOf(failure)}\r\n`));
      return endOfFailure(failure);
    }
    const name = signal === undefined || signal === 0 ? undefined : signalNamed(signal);
    return withLimit(endOf(exitCode, name ?? null, launch), limit);
  });

  return {
    launch,
    pid: pty.pid,
    isTerminal: true,
    takesInput: true,
    pendingInput: () => 0,
    send: (bytes) => {
      if (!isOver) pty.write(bytes);
    },
    endInput: () => pty.write("\u0004"),
    resize(toCols, toRows) {
      if (!isOver) pty.resize(toCols, toRows);
      return true;
    },
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    onOutput(take) {
      takeOutput = take;
      pty.onData((chunk) => {
        const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
        if (printed.length < FIRST_CHARS) printed += bytes.toString("latin1");
        take(bytes);
      });
    },
    ended,
  };
}

/** node-pty keeps the kernel's reason to itself: there was no other process to be had, or no other terminal. */
function started(spawn: () => Pty): Pty {
  try {
    return spawn();
  } catch (thrown) {
    if (!(thrown instanceof Error) || !thrown.message.includes("forkpty")) throw thrown;
    throw new EngineUnavailableError(
      "A terminal",
      "the limit of processes or of terminals is reached",
      "Try again when fewer processes run.",
    );
  }
}

function signalNamed(number: number): NodeJS.Signals | undefined {
  return Object.entries(constants.signals).find(([, each]) => each === number)?.[0] as NodeJS.Signals | undefined;
}
