import {
  keepStream,
  shares,
  shorten,
  type HandleMaker,
  type Outcome,
  type StreamBudget,
  type StreamName,
} from "@llmc/commands";
import { describeBinary } from "@llmc/te-fs";
import type { PlainOutput } from "@llmc/te-shell";
import type { HandleWords } from "../context.js";
import type { Recogniser } from "../recognise/recogniser.js";
import { digest, type Digest } from "./digest.js";
import { asOutput, headAndTail, markerOf } from "./marker.js";

/** Bytes above which an output is not digested, because that would hold up other calls. */
const LARGEST = 1024 * 1024;
/** Bytes in which a NUL tells that the output is not text. */
const LOOKED_AT = 8192;

/** Both streams of a command, as an answer tells them. */
export interface Told {
  readonly mode: "enriched" | "passthrough" | "raw";
  readonly stdout: ToldStream;
  readonly stderr: ToldStream;
  /** Tells how much the digest left out, and how to read the rest. */
  readonly marker: string | null;
  readonly recogniser: string | null;
}

export interface ToldStream {
  readonly text: string;
  readonly isCut: boolean;
  /** The text differs from the bytes that the program printed. */
  readonly isChanged: boolean;
  /** All of the stream, if it was changed. */
  readonly handle: string | null;
}

/** Streams of a command and its exit code; a running command has none yet. */
export type Printout = Pick<Outcome, "stdout" | "stderr" | "printed" | "exitCode">;

export interface TellOptions {
  readonly command: string | readonly string[];
  readonly isRaw: boolean;
}

/** Room in the answer, and the way to the lines left out. */
export interface TellContext extends HandleMaker {
  readonly limits: { readonly budget: StreamBudget; readonly keptBytes: number };
  readonly words: HandleWords;
  readonly recognisers: () => Promise<readonly Recogniser[]>;
}

/** Digests the output of a command, and cuts in the middle a digest above the budget. */
export async function tell(outcome: Printout, { command, isRaw }: TellOptions, context: TellContext): Promise<Told> {
  const short = isRaw ? undefined : digested(outcome, command, await context.recognisers());
  const shown = { stdout: short?.stdout ?? outcome.stdout, stderr: short?.stderr ?? outcome.stderr };
  const { budget } = context.limits;
  const [forOut, forErr] = shares(
    asOutput(shown.stdout),
    asOutput(shown.stderr),
    short === undefined ? budget : larger(budget),
  );
  const stdout = await toldStream({ name: "stdout", outcome, shown: shown.stdout, budget: forOut }, context);
  const stderr = await toldStream({ name: "stderr", outcome, shown: shown.stderr, budget: forErr }, context);
  return {
    mode: isRaw ? "raw" : short === undefined ? "passthrough" : "enriched",
    stdout,
    stderr,
    marker: short === undefined ? null : markerOf(short, [stdout.handle, stderr.handle], context.words),
    recogniser: short?.recogniser ?? null,
  };
}

/** The estimate is too high for the reports that a digest is made of. */
function larger({ bytes, tokens }: StreamBudget): StreamBudget {
  return { bytes: bytes * 1.2, tokens: tokens * 1.15 };
}

/** Returns undefined where the output stays as it is. */
function digested(
  { stdout, stderr, exitCode, printed }: Printout,
  command: TellOptions["command"],
  recognisers: readonly Recogniser[],
): Digest | undefined {
  const both = [stdout, stderr];
  if (printed !== undefined && isBinary(printed.stdout.head())) return undefined;
  if (both.some((each) => typeof each !== "string" && each.head().length < each.total)) return undefined;
  const [out = "", err = ""] = both.map((each) => (typeof each === "string" ? each : each.head().toString()));
  if (out.length + err.length > LARGEST) return undefined;
  return digest({ command, stdout: out, stderr: err, exitCode }, recognisers);
}

interface Stream {
  readonly name: StreamName;
  readonly outcome: Printout;
  readonly shown: PlainOutput | string;
  readonly budget: StreamBudget;
}

async function toldStream({ name, outcome, shown, budget }: Stream, context: TellContext): Promise<ToldStream> {
  const whole = outcome[name];
  const kept = outcome.printed?.[name];
  if (typeof whole === "string") return { text: whole, isCut: false, isChanged: false, handle: null };
  if (kept !== undefined && isBinary(kept.head())) {
    const text = `[binary data, ${kept.total} bytes: ${describeBinary(kept.head())}]\n`;
    return { text, isCut: true, isChanged: true, handle: await keep(name, asOutput(kept.head()), context) };
  }
  const isDigest = typeof shown === "string" && shown !== whole.head().toString();
  const short = shorten(asOutput(shown), budget);
  // The bytes as the program printed them, escape sequences included.
  if (!isDigest && short === undefined)
    return { text: (kept?.head() ?? whole.head()).toString(), isCut: false, isChanged: false, handle: null };
  const handle = await keep(name, whole, context);
  if (short === undefined) return { text: shown as string, isCut: false, isChanged: true, handle };
  const text = headAndTail(short, isDigest ? null : handle, context.words);
  return { text, isCut: true, isChanged: true, handle };
}

async function keep(name: StreamName, output: PlainOutput, context: TellContext): Promise<string | null> {
  return (await keepStream(name, output, context.limits.keptBytes, context)) ?? null;
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, LOOKED_AT).includes(0);
}
