import type { Readable } from "node:stream";
import { isatty } from "node:tty";
import { drain, OutputReader, type Exit } from "@llmc/te-run";
import { argvOf, commandOf } from "../command-line/argv.js";
import type { AskedCommand } from "../command-line/asked.js";
import { HeldOutput } from "./held-output.js";
import { LARGEST_HELD, type HeldStream } from "./held-stream.js";
import { endAs, exitCodeOf, passSignals } from "./signals.js";
import { handOn, notExecuted, start, startPiped, type Outlets } from "./start.js";
import { writeLast } from "./write.js";

export interface Surroundings {
  /** stdout and stderr lead to the same place. */
  readonly isMerged: boolean;
  readonly agentId: string;
  /** The person has filters of outputs, so that the configuration has to be loaded. */
  readonly hasFilters: boolean;
}

const LOADED_AFTER_MS = 100;

/** Runs the command, prints its output or a shorter one, and ends as the command ended. */
export async function runCommand(asked: AskedCommand, surroundings: Surroundings): Promise<never> {
  const argv = argvOf(asked.words);
  const isHeld = asked.json || !(asked.raw || isatty(1));
  return endAs(isHeld ? await runHeld(argv, asked, surroundings) : await runFreely(argv));
}

async function runFreely(argv: readonly string[]): Promise<Exit> {
  try {
    const { child, exit } = start(argv, "inherit");
    passSignals(child);
    return await exit;
  } catch (thrown) {
    const { code, problem } = notExecuted(argv[0] ?? "", thrown);
    await writeLast(process.stderr, `te: ${problem}\n`);
    return { code, signal: null };
  }
}

async function runHeld(
  argv: readonly string[],
  asked: AskedCommand,
  { isMerged, ...around }: Surroundings,
): Promise<Exit> {
  const began = performance.now();
  let loading: NodeJS.Timeout | undefined;
  const onGrown = () => {
    void (asked.json ? import("../answer/json.js") : import("../answer/shortened.js"));
    // Loads the configuration and the database while a longer command runs, because most short ones need neither.
    loading = setTimeout(() => void import("../store/open-store.js"), LOADED_AFTER_MS);
  };
  const output = new HeldOutput({ isPassedOn: !asked.json, onGrown });
  const outlets = { isMerged: isMerged && !asked.json, keepsErrors: !asked.json && isatty(2) };
  const { exit, sources } = await runInto(output, argv, outlets);
  clearTimeout(loading);
  if (!output.isReleased) {
    output.settle();
    await print(output, exitCodeOf(exit), { asked, ...around, latencyMs: performance.now() - began });
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
  outlets: Outlets,
): Promise<{ readonly exit: Exit; readonly sources: readonly Source[] }> {
  try {
    const { child, exit, stdout, stderr } = await startPiped(argv, outlets);
    passSignals(child);
    const sources = [
      sourceOf(stdout, output, { stream: output.stdout, target: 1 }),
      sourceOf(stderr, output, { stream: output.stderr, target: 2 }),
    ].filter((source) => source !== undefined);
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

interface Printing extends Omit<Surroundings, "isMerged"> {
  readonly asked: AskedCommand;
  readonly latencyMs: number;
}

async function print(
  output: HeldOutput,
  exitCode: number,
  { asked: { words, raw, budget, places, json }, agentId, hasFilters, latencyMs }: Printing,
): Promise<void> {
  const printed = { stdout: output.stdout.kept, stderr: output.stderr.kept, exitCode };
  const options = { command: commandOf(words), budget, keptBytes: LARGEST_HELD, places, hasFilters };
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
