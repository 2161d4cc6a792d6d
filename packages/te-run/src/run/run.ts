import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { drain } from "../streams/drain.js";
import { endTree } from "../process/end-tree.js";
import { buildEnv } from "../find/env.js";
import { writeStdin } from "../streams/stdin.js";
import { Head, OutputReader } from "../streams/output.js";
import { ProcessTree } from "../process/process-tree.js";
import { checkRun, type RunOptions } from "./run-options.js";
import { type Exit, type Extra, locate, start, type Started } from "../process/start.js";

/** Names the run in the environment of everything it starts. */
export const MARK = "LLMC_RUN";
/** From the death of the whole tree to Node's event about it. */
const REAP_MS = 1_000;

export type Ended = "exit" | "timeout" | "cancelled" | "stopped";

export interface RunResult {
  stdout: Buffer;
  stderr: Buffer;
  /** Bytes seen, kept or not. */
  stdoutTotal: number;
  stderrTotal: number;
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  ended: Ended;
  durationMs: number;
  /** Processes of the tree that even SIGKILL did not end (they hang in the kernel). Missing when there are none. */
  survivors?: readonly number[];
}

/** Runs one program to its end, within its bounds. A failure of the program is a result; only not starting it throws. */
export async function run(argv: readonly [string, ...string[]], options: RunOptions): Promise<RunResult> {
  return runWired(argv, options, { extra: extraOf(options) });
}

/** What the cell needs of a run beyond its options. */
export interface Wiring {
  /** What the program gets as its descriptors from 3 on; a "pipe" is a socket to us. */
  readonly extra: readonly Extra[];
  /** Sees the program when it has started. What this throws ends the run and is the run's failure. */
  readonly onStart?: (child: ChildProcess) => Promise<void>;
  /** For a program that has nothing to tidy up: it is not asked to end first. */
  readonly endAtOnce?: boolean;
}

export async function runWired(
  argv: readonly [string, ...string[]],
  options: RunOptions,
  wiring: Wiring,
): Promise<RunResult> {
  const began = performance.now();
  checkRun(argv, options);
  const base = options.baseEnv ?? process.env;
  const env = buildEnv(base, options.env);
  const program = await locate(argv[0], env.PATH);
  if (options.signal?.aborted === true) return neverStarted(began);
  const mark = randomUUID().replaceAll("-", "");
  // Behind the marks of runs around us: ending one of those ends this one too.
  env[MARK] = [base[MARK], mark].filter(Boolean).join(".");
  const stdin = options.stdin === undefined ? "ignore" : "pipe";
  const pipe = options.pipes?.take();
  const started = await start(program, argv, { cwd: options.cwd, env, stdin, extra: wiring.extra, pipe });
  return supervise(started, mark, { ...options, ...wiring }, began);
}

async function supervise(
  started: Started,
  mark: string,
  options: RunOptions & Wiring,
  began: number,
): Promise<RunResult> {
  const { child, exit } = started;
  const isReaped = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const tree = new ProcessTree(started.pid, mark, isReaped);
  // Aborted with the reason when the run is to end before the program does by itself. The first reason stays.
  const early = new AbortController();
  const [stdout, stderr] = [new Head(options.maxBytes), new Head(options.maxBytes)];
  const out = new OutputReader(
    started.stdout,
    options.onStdout ?? keepIn(stdout, options.stopAtMax),
    options.throttlesReads,
  );
  // Never throttles stderr on a socket, because small pieces soon fill a socket and the program would stand still.
  const isErrThrottled = options.throttlesReads === true && started.stderr !== child.stderr;
  const err = new OutputReader(started.stderr, options.onStderr ?? keepIn(stderr), isErrThrottled);
  for (const reader of [out, err]) {
    void reader.done.then(() => {
      if (reader.stopped || reader.failure !== undefined) early.abort("stopped");
    });
  }
  let failure: { readonly cause: unknown } | undefined;
  const fail = (cause: unknown): void => {
    // A source that listens to the caller's signal itself fails because the run is cancelled, not the other way round.
    if (early.signal.aborted) return;
    failure = { cause };
    early.abort("stopped");
  };
  if (child.stdin !== null && options.stdin !== undefined) writeStdin(child.stdin, options.stdin).catch(fail);
  options.onStart?.(child).catch(fail);
  const release = watch(early, options, () => isReaped() && out.busy === undefined && err.busy === undefined);

  try {
    const end = (): Promise<readonly number[]> => endTree(tree, options.endAtOnce);
    const { survivors, how } = await finish(end, exit, [out, err], early.signal);
    const thrown = out.failure ?? err.failure ?? failure;
    if (thrown !== undefined) throw thrown.cause;
    return {
      stdout: stdout.bytes(),
      stderr: stderr.bytes(),
      stdoutTotal: out.total,
      stderrTotal: err.total,
      exitCode: how.code,
      signal: how.signal,
      ended: early.signal.aborted ? (early.signal.reason as Ended) : "exit",
      durationMs: since(began),
      ...(survivors.length === 0 ? {} : { survivors }),
    };
  } finally {
    release();
    out.close();
    err.close();
    child.stdin?.destroy();
    // Only matters for a child that nothing could end: it must not keep the server from ending.
    child.unref();
  }
}

async function finish(
  end: () => Promise<readonly number[]>,
  exit: Promise<Exit>,
  readers: readonly OutputReader[],
  early: AbortSignal,
): Promise<{ survivors: readonly number[]; how: Exit }> {
  const how = await Promise.race([exit, aborted(early)]);
  if (how !== undefined) await drain(readers, early);
  if (how !== undefined && !early.aborted) return { survivors: [], how };
  const survivors = await end();
  const reaped = await Promise.race([exit, sleep(REAP_MS, undefined, { ref: false })]);
  await drain(readers);
  return { survivors, how: reaped ?? { code: null, signal: null } };
}

/** Ends the run on time or on request. Answers how to stop watching. */
function watch(early: AbortController, { signal, timeoutMs }: RunOptions, isOver: () => boolean): () => void {
  const timer = setTimeout(() => {
    // On a busy machine timers fire before the news of a program that ended in time: one turn for the news.
    setImmediate(() => {
      if (!isOver()) early.abort("timeout");
    });
  }, timeoutMs);
  const cancel = (): void => early.abort("cancelled");
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted === true) cancel();
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  };
}

function extraOf({ third, fourth }: RunOptions): Extra[] {
  if (third === undefined && fourth === undefined) return [];
  return fourth === undefined ? [third ?? "ignore"] : [third ?? "ignore", fourth];
}

function keepIn(head: Head, stopAtMax = false): (chunk: Buffer) => void | "stop" {
  return (chunk) => {
    head.add(chunk);
    if (stopAtMax && head.isFull) return "stop";
  };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

function neverStarted(began: number): RunResult {
  return {
    stdout: Buffer.alloc(0),
    stderr: Buffer.alloc(0),
    stdoutTotal: 0,
    stderrTotal: 0,
    exitCode: null,
    signal: null,
    ended: "cancelled",
    durationMs: since(began),
  };
}

function since(began: number): number {
  return Math.round(performance.now() - began);
}
