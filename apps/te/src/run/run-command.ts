import type { Readable } from "node:stream";
import { isatty } from "node:tty";
import { drain, OutputReader, type Exit } from "@llmc/te-run";
import { argvOf, commandOf } from "../command-line/argv.js";
import type { AskedCommand } from "../command-line/asked.js";
import { HeldOutput } from "./held-output.js";
import { LARGEST_HELD, type HeldStream } from "./held-stream.js";
import { endAs, exitCodeOf, passSignals } from "./signals.js";
import { handOn, notExecuted, start } from "./start.js";

export interface Surroundings {
  /** stdout and stderr lead to the same place. */
  readonly isMerged: boolean;
  readonly agentId: string;
}

/** Lets both streams take one way, so that their lines keep their order. */
const MERGING = 'command -v -- "$1" >/dev/null || { echo "te: $1: command not found"; exit 127; }; exec "$@" 2>&1';

/** Runs the command, prints its output or a shorter one, and ends as the command ended. */
export async function runCommand(asked: AskedCommand, surroundings: Surroundings): Promise<never> {
  const argv = argvOf(asked.words);
  const isHeld = asked.json || !(asked.raw || isatty(1));
  return endAs(isHeld ? await runHeld(argv, asked, surroundings) : await runFreely(argv));
}

async function runFreely(argv: readonly string[]): Promise<Exit> {
  const { child, exit } = start(argv, "inherit");
  passSignals(child);
  return await exit.catch((thrown: unknown) => {
    const { code, problem } = notExecuted(argv[0] ?? "", thrown);
    process.stderr.write(`te: ${problem}\n`);
    return { code, signal: null };
  });
}

async function runHeld(
  argv: readonly string[],
  asked: AskedCommand,
  { isMerged, agentId }: Surroundings,
): Promise<Exit> {
  const began = performance.now();
  const loading = () => void (asked.json ? import("../answer/json.js") : import("../answer/shortened.js"));
  const output = new HeldOutput({ isPassedOn: !asked.json, onGrown: loading });
  const merges = isMerged && !asked.json;
  const { exit, sources } = await runInto(output, merges ? ["sh", "-c", MERGING, "te", ...argv] : argv, asked);
  if (!output.isReleased) {
    output.settle();
    await print(output, exitCodeOf(exit), { asked, agentId, latencyMs: performance.now() - began });
  }
  for (const { stream, readable, target } of sources) {
    if (!asked.json) await stream.release();
    handOn(readable, asked.json ? "ignore" : target);
  }
  return exit;
}

interface Source {
  readonly stream: HeldStream;
  readonly readable: Readable;
  readonly reader: OutputReader;
  readonly target: 1 | 2;
}

/** Runs the command to its end. Returns the streams that programs in the background still hold open. */
async function runInto(
  output: HeldOutput,
  argv: readonly string[],
  asked: AskedCommand,
): Promise<{ readonly exit: Exit; readonly sources: readonly Source[] }> {
  const { child, exit } = start(argv, ["inherit", "pipe", !asked.json && isatty(2) ? "inherit" : "pipe"]);
  passSignals(child);
  const sources = [
    sourceOf(child.stdout, output, { stream: output.stdout, target: 1 }),
    sourceOf(child.stderr, output, { stream: output.stderr, target: 2 }),
  ].filter((source) => source !== undefined);
  try {
    const how = await exit;
    // Waits for a slow reader of te as long as it takes.
    await drain(
      sources.map(({ reader }) => reader),
      new AbortController().signal,
    );
    return { exit: how, sources: sources.filter(({ reader }) => !reader.finished) };
  } catch (thrown) {
    const { code, problem } = notExecuted(argv[0] ?? "", thrown);
    await output.stderr.take(Buffer.from(`te: ${problem}\n`));
    return { exit: { code, signal: null }, sources: [] };
  }
}

function sourceOf(
  readable: Readable | null,
  output: HeldOutput,
  given: Pick<Source, "stream" | "target">,
): Source | undefined {
  if (readable === null) return undefined;
  return { ...given, readable, reader: new OutputReader(readable, output.taker(given.stream)) };
}

interface Printing {
  readonly asked: AskedCommand;
  readonly agentId: string;
  readonly latencyMs: number;
}

async function print(
  output: HeldOutput,
  exitCode: number,
  { asked: { words, raw, budget, places, json }, agentId, latencyMs }: Printing,
): Promise<void> {
  const printed = { stdout: output.stdout.kept, stderr: output.stderr.kept, exitCode };
  const options = { command: commandOf(words), budget, keptBytes: LARGEST_HELD, places };
  if (json) {
    const { jsonOf } = await import("../answer/json.js");
    await output.stdout.print(await jsonOf(printed, { ...options, raw, agentId, latencyMs }));
    return;
  }
  const told = output.isSmall
    ? undefined
    : await (await import("../answer/shortened.js")).shortenedText(printed, options);
  await output.stdout.print(told?.stdout);
  await output.stderr.print(told?.stderr);
}
