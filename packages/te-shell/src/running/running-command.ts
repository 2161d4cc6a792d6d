import { once } from "node:events";
import { constants } from "node:os";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { EngineUnavailableError } from "@llmc/errors";
import { drain, OutputReader, type Exit, type Started, type TakeChunk } from "@llmc/te-run";
import type { WantedConfig } from "../launch/git-changes.js";
import type { Launch } from "../launch/launch.js";
import type { LimitHit } from "../limits/meter.js";
import { KeptOutput } from "./kept-output.js";

/** As `timeout` of coreutils has it. */
const TIMED_OUT = 124;
/** From the death of the tree to Node's event about it. */
const REAP_MS = 1_000;

export interface CommandEnd {
  /** Of the program; 124 after a timeout, 128+n after a signal, 126 and 127 where it could not be executed. */
  readonly exitCode: number;
  readonly ended: "exit" | "timeout" | "cancelled";
  readonly stdout: KeptOutput;
  readonly stderr: KeptOutput;
  readonly durationMs: number;
  /** A bound that it ran into. */
  readonly limit?: LimitHit;
  /** Why it could not be executed. */
  readonly problem?: string;
  /** What even SIGKILL did not end. */
  readonly survivors?: readonly number[];
  /** Argument lists of the programs that the command left running until its sandbox ended. */
  readonly leftBehind?: readonly (readonly string[])[];
  /** Settings that git wrote into copies of configs, as reported by the command. */
  readonly gitChanges?: readonly WantedConfig[];
}

/** A command that runs once. Somebody waits for its end, or takes it over while it runs. */
export class RunningCommand {
  readonly launch: Launch;
  readonly startedAt: number;
  readonly stdout: KeptOutput;
  readonly stderr: KeptOutput;
  readonly #started: Started;
  readonly #began = performance.now();
  readonly #early = new AbortController();
  readonly #readers: readonly [OutputReader, OutputReader];
  #takers: { readonly stdout: TakeChunk; readonly stderr: TakeChunk } | undefined;

  private constructor(launch: Launch, started: Started, maxBytes: number) {
    this.launch = launch;
    this.#started = started;
    this.startedAt = Date.now();
    this.stdout = new KeptOutput(maxBytes);
    this.stderr = new KeptOutput(maxBytes);
    const take = (name: "stdout" | "stderr") => (chunk: Buffer) =>
      this.#takers === undefined ? this[name].add(chunk) : this.#takers[name](chunk);
    this.#readers = [
      new OutputReader(started.stdout, take("stdout")),
      new OutputReader(started.stderr, take("stderr")),
    ];
  }

  /** Of each stream `maxBytes` are kept from its beginning, and a little of its end. stdin is closed. */
  static async start(launch: Launch, { maxBytes }: { readonly maxBytes: number }): Promise<RunningCommand> {
    try {
      return new RunningCommand(launch, await launch.start({ stdin: "ignore" }), maxBytes);
    } catch (cause) {
      await launch.release();
      throw cause;
    }
  }

  /** Bytes printed so far. */
  get printed(): number {
    return this.stdout.total + this.stderr.total;
  }

  /** Ends it with all that it has started; `end()` tells with what. The first reason stays. */
  stop(why: "timeout" | "cancelled"): void {
    this.#early.abort(why);
  }

  /** The end of the program; not that of what it leaves in the background, which does not hold the answer up. */
  async end(): Promise<CommandEnd> {
    try {
      const { how, survivors, ended } = await this.#finish();
      const printed = this.stderr.head().subarray(0, 1024).toString();
      const failure = ended === "exit" ? await this.launch.failure({ exitCode: how.code, printed }) : undefined;
      if (failure !== undefined && "folder" in failure) throw failure.folder;
      if (failure !== undefined && "unavailable" in failure)
        throw new EngineUnavailableError("The sandbox", failure.unavailable, { id: "see-health" });
      const leftBehind = ended === "exit" ? await this.launch.leftBehind() : [];
      const gitChanges = this.launch.gitChanges();
      const limit = this.launch.limitHit() ?? (isFileLimit(how) ? "file size" : undefined);
      return {
        exitCode: failure?.exitCode ?? (ended === "timeout" ? TIMED_OUT : codeOf(how)),
        ended,
        stdout: this.stdout,
        stderr: this.stderr,
        durationMs: Math.round(performance.now() - this.#began),
        ...(limit === undefined ? {} : { limit }),
        ...(failure === undefined ? {} : { problem: failure.message }),
        ...(survivors.length === 0 ? {} : { survivors }),
        ...(leftBehind.length === 0 ? {} : { leftBehind }),
        ...(gitChanges.length === 0 ? {} : { gitChanges }),
      };
    } finally {
      if (this.#takers === undefined) await this.#leave();
    }
  }

  async #leave(): Promise<void> {
    for (const reader of this.#readers) reader.close();
    // Only matters for a child that nothing could end: it must not keep the server from ending.
    this.#started.child.unref();
    await this.launch.release();
  }

  /** Nobody waits for the end any more: what it prints from now on comes on the streams of this, which is the caller's. */
  adopt(): Started {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    this.#takers = { stdout: into(stdout), stderr: into(stderr) };
    const [out, err] = this.#readers;
    void out.done.then(() => stdout.end());
    void err.done.then(() => stderr.end());
    return { ...this.#started, stdout, stderr };
  }

  async #finish(): Promise<{ how: Exit; survivors: readonly number[]; ended: CommandEnd["ended"] }> {
    const { exit } = this.#started;
    const early = this.#early.signal;
    const how = await Promise.race([exit, aborted(early)]);
    if (how !== undefined) {
      await drain(this.#readers, early);
      // It ended in time: a timeout while its last bytes are read does not count.
      return { how, survivors: [], ended: "exit" };
    }
    const survivors = await this.launch.end();
    const reaped = await Promise.race([exit, sleep(REAP_MS, undefined, { ref: false })]);
    await drain(this.#readers);
    const ended = early.reason as "timeout" | "cancelled";
    return { how: reaped ?? { code: null, signal: "SIGKILL" }, survivors, ended };
  }
}

/** What nobody takes slows the program, as its own pipe would. */
function into(stream: PassThrough): TakeChunk {
  return async (chunk) => {
    if (stream.destroyed) return "stop";
    if (!stream.write(chunk)) await Promise.race([once(stream, "drain"), once(stream, "close")]);
  };
}

function codeOf({ code, signal }: Exit): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

function isFileLimit(how: Exit): boolean {
  return codeOf(how) === 128 + constants.signals.SIGXFSZ;
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
