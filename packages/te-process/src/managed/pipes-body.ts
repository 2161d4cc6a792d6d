import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Started } from "@llmc/te-run";
import type { Launch, LaunchFailure, LimitHit } from "@llmc/te-shell";
import type { Body, BodyEnd } from "./body.js";

/** From the end of a program until what it wrote has come through; whoever holds its pipes open is ended then. */
const DRAIN_MS = 100;
const CLOSE_MS = 1000;
export const FIRST_CHARS = 4096;

/** A program with pipes for its input and output. */
export function pipesBody(launch: Launch, started: Started, isTerminal = false): Body {
  const { child, stdout, stderr } = started;
  const stdin = child.stdin;
  let takeOutput: (chunk: Buffer) => void = () => undefined;
  let printed = "";

  const closed = Promise.all([stdout, stderr].map((stream) => closeOf(stream)));
  const ended = (async (): Promise<BodyEnd> => {
    const { code, signal } = await started.exit;
    resume();
    await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })]);
    await launch.end();
    await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]);
    const failure = await launch.failure({ exitCode: code, printed });
    const limit = launch.limitHit();
    await launch.release();
    if (failure === undefined) return withLimit(endOf(code, signal, launch), limit);
    takeOutput(Buffer.from(`${textOf(failure)}\n`));
    return endOfFailure(failure);
  })();

  function resume(): void {
    stdout.resume();
    stderr.resume();
  }

  return {
    launch,
    pid: started.pid,
    isTerminal,
    takesInput: stdin !== null,
    pendingInput: () => stdin?.writableLength ?? 0,
    send: (bytes) => void stdin?.write(bytes),
    endInput: () => stdin?.end(),
    resize: () => false,
    pause() {
      stdout.pause();
      stderr.pause();
    },
    resume,
    onOutput(take) {
      takeOutput = take;
      for (const stream of [stdout, stderr]) {
        stream.on("data", (chunk: Buffer) => {
          if (printed.length < FIRST_CHARS) printed += chunk.toString("latin1");
          take(chunk);
        });
      }
    },
    ended,
  };
}

/** As a shell has it: 128 and the number of the signal. In a box that is all that comes through. */
export function endOf(code: number | null, signal: NodeJS.Signals | null, { facts }: Pick<Launch, "facts">): BodyEnd {
  if (signal !== null) return { exitCode: 128 + constants.signals[signal], signal };
  if (facts.sandbox === "off" || code === null || code <= 128) return { exitCode: code, signal: null };
  const [name] = Object.entries(constants.signals).find(([, number]) => number === code - 128) ?? [];
  return { exitCode: code, signal: (name as NodeJS.Signals | undefined) ?? null };
}

/** A file that grew too large is told by the signal for that. */
export function withLimit(end: BodyEnd, hit: LimitHit | undefined): BodyEnd {
  const limit = hit ?? (end.exitCode === 128 + constants.signals.SIGXFSZ ? "file size" : undefined);
  return limit === undefined ? end : { ...end, limit };
}

/** As a shell has it: 126 for what is there and does not run. */
export function endOfFailure(failure: LaunchFailure): BodyEnd {
  return { exitCode: "exitCode" in failure ? failure.exitCode : 126, signal: null };
}

export function textOf(failure: LaunchFailure): string {
  if ("folder" in failure) return `${failure.folder.message}. ${failure.folder.hint ?? ""}`.trimEnd();
  return "message" in failure ? failure.message : failure.unavailable;
}

function closeOf(stream: NodeJS.ReadableStream & { readonly destroyed?: boolean }): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed === true) resolve();
    else stream.once("close", () => resolve());
  });
}
