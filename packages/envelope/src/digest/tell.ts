import { keepStream, shares, shorten, type HandleMaker, type Outcome, type StreamBudget } from "@llmc/commands";
import type { PlainOutput } from "@llmc/te-shell";
import type { HandleWords } from "../context.js";
import { digest, type Digest } from "./digest.js";
import { asOutput, headAndTail, markerOf } from "./marker.js";

/** Bytes above which an output is not digested, because that would hold up other calls. */
const LARGEST = 2 * 1024 * 1024;

/** Both streams of a command, as an answer tells them. */
export interface Told {
  readonly mode: "enriched" | "passthrough" | "raw";
  readonly stdout: ToldStream;
  readonly stderr: ToldStream;
  /** What the digest left out and how to read it. */
  readonly marker: string | null;
  readonly recogniser: string | null;
}

export interface ToldStream {
  readonly text: string;
  readonly isCut: boolean;
  /** The text is not all that was printed. */
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
}

/** Digests the output of a command, and cuts in the middle what is still above the budget. */
export async function tell(outcome: Printout, { command, isRaw }: TellOptions, context: TellContext): Promise<Told> {
  const short = isRaw ? undefined : digested(outcome, command);
  const shown = { stdout: short?.stdout ?? outcome.stdout, stderr: short?.stderr ?? outcome.stderr };
  const [forOut, forErr] = shares(asOutput(shown.stdout), asOutput(shown.stderr), context.limits.budget);
  const stdout = await toldStream("stdout", outcome, shown.stdout, forOut, context);
  const stderr = await toldStream("stderr", outcome, shown.stderr, forErr, context);
  return {
    mode: isRaw ? "raw" : short === undefined ? "passthrough" : "enriched",
    stdout,
    stderr,
    marker: short === undefined ? null : markerOf(short, [stdout.handle, stderr.handle], context.words),
    recogniser: short?.recogniser ?? null,
  };
}

/** Returns undefined where the output stays as it is. */
function digested({ stdout, stderr, exitCode }: Printout, command: TellOptions["command"]): Digest | undefined {
  const both = [stdout, stderr];
  if (both.some((each) => typeof each !== "string" && each.head().length < each.total)) return undefined;
  const [out = "", err = ""] = both.map((each) => (typeof each === "string" ? each : each.head().toString()));
  return out.length + err.length > LARGEST ? undefined : digest({ command, stdout: out, stderr: err, exitCode });
}

async function toldStream(
  name: "stdout" | "stderr",
  outcome: Printout,
  shown: PlainOutput | string,
  budget: StreamBudget,
  context: TellContext,
): Promise<ToldStream> {
  const whole = outcome[name];
  if (typeof whole === "string") return { text: whole, isCut: false, isChanged: false, handle: null };
  const isDigest = typeof shown === "string" && shown !== whole.head().toString();
  const short = shorten(asOutput(shown), budget);
  if (!isDigest && short === undefined)
    return { text: exactly(outcome, name), isCut: false, isChanged: false, handle: null };
  const handle = (await keepStream(name, whole, context.limits.keptBytes, context)) ?? null;
  if (short === undefined) return { text: shown as string, isCut: false, isChanged: true, handle };
  return { text: headAndTail(short, isDigest ? null : handle, context.words), isCut: true, isChanged: true, handle };
}

/** The bytes that the program printed, escape sequences included. */
function exactly({ printed, ...outcome }: Printout, name: "stdout" | "stderr"): string {
  const kept = printed?.[name];
  if (kept !== undefined) return kept.head().toString();
  const plain = outcome[name];
  return typeof plain === "string" ? plain : plain.head().toString();
}
