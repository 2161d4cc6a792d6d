import { CancelledError, type Remedy } from "@llmc/errors";
import {
  plainOutput,
  RunningCommand,
  type CommandEnd,
  type KeptOutput,
  type Launch,
  type LaunchFacts,
  type LaunchRequest,
  type MissingProgram,
  type PlainOutput,
} from "@llmc/te-shell";
import type { Boundary } from "@llmc/te-path";
import { sessionKey } from "@llmc/toolkit";
import { findClosedPaths } from "../launch/find-closed-paths.js";
import type { CommandContext } from "../launch/context.js";
import { handOver } from "./hand-over.js";
import { adoptGitConfig } from "./adopt-git-config.js";
import { sandboxCause } from "./sandbox-cause.js";
import { launchSession } from "../launch/launch-session.js";
import { notStarted } from "../launch/not-started.js";
import type { CommandTimes } from "./times.js";
import { workingFolder } from "../launch/working-folder.js";

const PROGRESS_MS = 10_000;

export interface OnceRequest {
  readonly command: LaunchRequest["command"];
  readonly cwd: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The operator's list that allows or refuses the program. */
  readonly use: LaunchRequest["use"];
  readonly times: CommandTimes;
  /** Bytes kept from the beginning of each stream. */
  readonly keptBytes: number;
  /** Names the tool in messages. */
  readonly tool: string;
}

export interface Printed {
  readonly stdout: KeptOutput;
  readonly stderr: KeptOutput;
}

/** End of a command, or its state when it was handed over. */
export interface Outcome {
  readonly stdout: PlainOutput | string;
  readonly stderr: PlainOutput | string;
  /** Both streams byte for byte; undefined when nothing was started. */
  readonly printed?: Printed;
  /** null while the command runs. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly durationMs: number;
  /** undefined when nothing was started. */
  readonly facts: LaunchFacts | undefined;
  readonly limit?: CommandEnd["limit"];
  readonly survivors?: readonly number[];
  /** Id of the managed process that the command became. */
  readonly procId?: string;
  /** Files that other programs execute, made or replaced by the command. */
  readonly executedByOthers?: readonly string[];
  /** Argument lists of the programs that the command left running until its sandbox ended. */
  readonly leftBehind?: CommandEnd["leftBehind"];
  /** Cause of the failure, if it lies in the sandbox. */
  readonly cause?: Remedy;
}

/** Runs one command to its end, to its timeout, or until it is handed over. */
export async function runOnce(request: OnceRequest, context: CommandContext): Promise<Outcome> {
  const { session, files, signal } = context;
  const cwd = await workingFolder(request.cwd, files, signal);
  const commands = await context.commands();
  const before = await files.boundary(cwd, signal);
  const began = Date.now();
  const launch = await commands.prepare({
    command: request.command,
    use: request.use,
    cwd,
    closed: await findClosedPaths(context, cwd, before),
    session: launchSession(session),
    ...(request.env === undefined ? {} : { env: request.env }),
  });
  if ("missing" in launch) return nothingRan(launch, context);
  if (signal.aborted) {
    await launch.release();
    throw new CancelledError(request.tool);
  }
  const own = files.ownWork(sessionKey(context));
  const running = await started(launch, own, request);
  const end = await supervised(running, { ...request, folder: cwd, own }, context);
  if (typeof end === "string") return stillRunning(running, end);
  const adopted = await adopt(end, before, context);
  const made = madeSince(before, (await files.boundary(cwd, signal)).guarded, began);
  const [stdout, stderr] = [plainOutput(end.stdout), plainOutput(end.stderr)];
  const told = { launch, stdout, stderr, exitCode: end.exitCode, cwd, boundary: before };
  const roots = files.roots.map(({ path }) => path);
  const cause = adopted ?? sandboxCause({ ...told, command: shownCommand(request), roots });
  return {
    ...outcomeOf({ ...end, stdout, stderr }, launch),
    printed: { stdout: end.stdout, stderr: end.stderr },
    ...(made.length === 0 ? {} : { executedByOthers: made }),
    ...(cause === undefined ? {} : { cause }),
  };
}

/**
 * Merges the command's changes to git configs. A failure becomes a remedy, so that the command's output is not lost.
 */
async function adopt(
  { gitChanges = [] }: CommandEnd,
  before: Boundary,
  context: CommandContext,
): Promise<Remedy | undefined> {
  try {
    return gitChanges.length === 0 ? undefined : await adoptGitConfig(gitChanges, before, context);
  } catch {
    return { id: "git-keys-refused", keys: [] };
  }
}

async function started(launch: Launch, own: Disposable, { keptBytes }: OnceRequest): Promise<RunningCommand> {
  try {
    return await RunningCommand.start(launch, { maxBytes: keptBytes });
  } catch (thrown) {
    own[Symbol.dispose]();
    throw thrown;
  }
}

/** The kernel's clock for files lags behind Date.now() by some milliseconds. */
const CLOCK_MS = 50;

function madeSince(before: Boundary, now: Boundary["guarded"], began: number): string[] {
  const known = new Map(before.guarded.map(({ path, identity }) => [path, identity]));
  return now
    .filter(({ path, identity }) => known.get(path) !== identity)
    .filter(({ path, changedMs }) => before.isWhole || known.has(path) || changedMs >= began - CLOCK_MS)
    .map(({ path }) => path);
}

interface Supervision extends OnceRequest {
  readonly folder: string;
  /** Marks all changes until the end of the command as the session's own, also after a hand-over. */
  readonly own: Disposable;
}

/** Waits for the end of the command, or returns the id of the managed process after a hand-over. */
async function supervised(
  running: RunningCommand,
  request: Supervision,
  context: CommandContext,
): Promise<CommandEnd | string> {
  const { signal, progress } = context;
  const { times, tool } = request;
  const cancel = () => running.stop("cancelled");
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const began = performance.now();
  const left = () => began + times.end * 1000 - performance.now();
  const timers: NodeJS.Timeout[] = [];
  timers.push(
    setInterval(() => {
      const took = Math.round((performance.now() - began) / 1000);
      progress(`running for ${took} s, ${running.printed} bytes printed`);
    }, PROGRESS_MS),
  );
  try {
    return await new Promise<CommandEnd | string>((resolve, reject) => {
      const hand = () => {
        const endsInMs = times.isNamed ? left() : undefined;
        const handed = { command: shownCommand(request), cwd: request.folder, endsInMs };
        const id = signal.aborted ? undefined : handOver(running, handed, context);
        if (id !== undefined) resolve(id);
        else timers.push(setTimeout(() => running.stop("timeout"), left()));
      };
      timers.push(
        times.handOver === undefined
          ? setTimeout(() => running.stop("timeout"), left())
          : setTimeout(hand, times.handOver * 1000),
      );
      const ended = running.end().finally(() => request.own[Symbol.dispose]());
      ended.then((end) => {
        if (end.ended === "cancelled") reject(new CancelledError(tool));
        else resolve(end);
      }, reject);
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
  }
}

function shownCommand({ command }: OnceRequest): string {
  return "line" in command ? command.line : command.argv.map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function stillRunning(running: RunningCommand, procId: string): Outcome {
  const { launch } = running;
  const [stdout, stderr] = [plainOutput(running.stdout), plainOutput(running.stderr)];
  const durationMs = Date.now() - running.startedAt;
  const printed = { stdout: running.stdout, stderr: running.stderr };
  return { stdout, stderr, printed, exitCode: null, timedOut: false, durationMs, facts: launch.facts, procId };
}

function nothingRan(missing: MissingProgram, { hintOf }: CommandContext): Outcome {
  const { text, exitCode } = notStarted(missing, hintOf);
  return { stdout: "", stderr: text, exitCode, timedOut: false, durationMs: 0, facts: undefined };
}

type PlainEnd = Omit<CommandEnd, "stdout" | "stderr"> & Pick<Outcome, "stdout" | "stderr">;

function outcomeOf(end: PlainEnd, { facts }: Launch): Outcome {
  const { stdout, stderr, exitCode, ended, durationMs, limit, problem, survivors, leftBehind } = end;
  return {
    stdout,
    stderr: problem === undefined ? stderr : `${problem}\n`,
    exitCode,
    timedOut: ended === "timeout",
    durationMs,
    facts,
    ...(limit === undefined ? {} : { limit }),
    ...(survivors === undefined ? {} : { survivors }),
    ...(leftBehind === undefined ? {} : { leftBehind }),
  };
}
