import {
  keepStream,
  shares,
  shorten,
  type Outcome,
  type Shortened,
  type StreamBudget,
  type StreamName,
} from "@llmc/commands";
import type { PlainOutput } from "@llmc/te-shell";
import { estimateTokens } from "@llmc/toolkit";
import { less, type Less } from "../budget/less.js";
import type { EnvelopeContext } from "../context.js";
import { tryDigest, type Digest, type Digested } from "./digest.js";
import { asOutput, headAndTail, markerOf } from "./marker.js";
import { record, tokensOf } from "./record.js";

/** Bytes above which an output is not digested, because that would hold up other calls. */
const LARGEST = 2 * 1024 * 1024;

/** Both streams of a command, as an answer tells them. */
export interface Told {
  readonly mode: "enriched" | "passthrough" | "raw";
  readonly stdout: ToldStream;
  readonly stderr: ToldStream;
  /** Tells how much is left out and how to read the rest, and names the caller's budget. */
  readonly marker: string | null;
  readonly truncated: boolean;
  readonly recogniser: string | null;
}

export interface ToldStream {
  readonly text: string;
  readonly isCut: boolean;
  /** All of the stream, if it was changed. */
  readonly handle: string | null;
  /** The text under the caller's budget, where the budget left lines out. */
  readonly less: Less | undefined;
}

export interface TellOptions {
  readonly command: string | readonly string[];
  readonly isRaw: boolean;
}

/** Digests the output of a command, and cuts in the middle what is still above the budget. */
export async function tell(outcome: Outcome, options: TellOptions, context: EnvelopeContext): Promise<Told> {
  const start = performance.now();
  const isRaw = options.isRaw || !context.te.enabled;
  const { share, note } = context.budgets.of(context);
  const { short, failed } = isRaw ? UNTOUCHED : await digested(outcome, options.command, context);
  const shown = { stdout: short?.stdout ?? outcome.stdout, stderr: short?.stderr ?? outcome.stderr };
  const [forOut, forErr] = shares(asOutput(shown.stdout), asOutput(shown.stderr), context.limits.budget);
  const within = isRaw ? 1 : share;
  const stdout = await toldStream("stdout", outcome, { shown: shown.stdout, budget: forOut, share: within }, context);
  const stderr = await toldStream("stderr", outcome, { shown: shown.stderr, budget: forErr, share: within }, context);
  const isShort = short !== undefined || stdout.less !== undefined || stderr.less !== undefined;
  const leftOut = isShort ? markerOf(countsOf(short, [stdout, stderr]), [stdout.handle, stderr.handle], context) : null;
  const mode = isRaw ? "raw" : short === undefined ? "passthrough" : "enriched";
  const truncated = isShort || stdout.isCut || stderr.isCut;
  const marker = [leftOut, note].filter((each) => each !== null).join(" · ") || null;
  record(
    {
      command: options.command,
      family: short?.recogniser ?? failed,
      mode: failed === undefined ? mode : "error",
      rawTokens:
        tokensOf(outcome.printed?.stdout ?? outcome.stdout) + tokensOf(outcome.printed?.stderr ?? outcome.stderr),
      shownTokens: [stdout.text, stderr.text, marker ?? ""].reduce((sum, text) => sum + estimateTokens(text), 0),
      truncated,
      handles: [stdout.handle, stderr.handle],
      start,
    },
    context,
  );
  return { mode, stdout, stderr, marker, truncated, recogniser: short?.recogniser ?? null };
}

/** Lines of both streams, and how many the answer leaves out. */
function countsOf(short: Digest | undefined, streams: readonly ToldStream[]): Pick<Digest, "lines" | "leftOut"> {
  const sum = (name: "lines" | "leftOut") => streams.reduce((total, { less: each }) => total + (each?.[name] ?? 0), 0);
  return { lines: short?.lines ?? sum("lines"), leftOut: (short?.leftOut ?? 0) + sum("leftOut") };
}

const UNTOUCHED: Digested = { short: undefined, failed: undefined };

async function digested(
  { stdout, stderr, exitCode }: Outcome,
  command: TellOptions["command"],
  { filters }: Pick<EnvelopeContext, "filters">,
): Promise<Digested> {
  const both = [stdout, stderr];
  if (both.some((each) => typeof each !== "string" && each.head().length < each.total)) return UNTOUCHED;
  const [out = "", err = ""] = both.map((each) => (typeof each === "string" ? each : each.head().toString()));
  if (out.length + err.length > LARGEST) return UNTOUCHED;
  return tryDigest({ command, stdout: out, stderr: err, exitCode }, await filters.dropsOf(command));
}

interface Telling {
  readonly shown: PlainOutput | string;
  readonly budget: StreamBudget;
  /** Share of the budget that the session has left for an answer. */
  readonly share: number;
}

async function toldStream(
  name: StreamName,
  outcome: Outcome,
  { shown, budget, share }: Telling,
  context: EnvelopeContext,
): Promise<ToldStream> {
  const whole = outcome[name];
  if (typeof whole === "string") return { text: whole, isCut: false, handle: null, less: undefined };
  const isDigest = typeof shown === "string" && shown !== whole.head().toString();
  const short = shorten(asOutput(shown), budget);
  const plain = short === undefined ? asOutput(shown).head().toString() : `${short.head}\n${short.tail}`;
  const fewer = share === 1 ? undefined : less(plain, share * budget.tokens);
  if (!isDigest && short === undefined && fewer === undefined)
    return { text: exactly(outcome, name), isCut: false, handle: null, less: undefined };
  const handle = (await keepStream(name, whole, context.limits.keptBytes, context)) ?? null;
  if (fewer !== undefined) return { text: fewer.text, isCut: true, handle, less: withGap(fewer, short) };
  if (short === undefined) return { text: shown as string, isCut: false, handle, less: undefined };
  return { text: headAndTail(short, isDigest ? null : handle, context), isCut: true, handle, less: undefined };
}

/** Counts the lines between beginning and end, which the budget did not see. */
function withGap({ lines, leftOut, text }: Less, short: Shortened | undefined): Less {
  const gap = short?.omitted.lines ?? 0;
  return { lines: lines + gap, leftOut: leftOut + gap, text };
}

/** The bytes that the program printed, escape sequences included. */
function exactly({ printed, ...outcome }: Outcome, name: StreamName): string {
  const kept = printed?.[name];
  if (kept !== undefined) return kept.head().toString();
  const plain = outcome[name];
  return typeof plain === "string" ? plain : plain.head().toString();
}
