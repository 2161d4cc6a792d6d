import { isUtf8 } from "node:buffer";
import {
  keepStream,
  shares,
  shorten,
  type HandleMaker,
  type Outcome,
  type Shortened,
  type StreamBudget,
  type StreamName,
} from "@llmc/commands";
import { describeBinary } from "@llmc/te-fs";
import type { PlainOutput } from "@llmc/te-shell";
import { less, type Less } from "../budget/less.js";
import type { HandleWords } from "../context.js";
import type { Filters } from "../filters/open-filters.js";
import type { Recogniser } from "../recognise/recogniser.js";
import { tryDigest, type Digest, type Digested } from "./digest.js";
import { asOutput, failuresBetween, gapMarker, headAndTail, markerOf } from "./marker.js";

/** Bytes above which an output is not digested, because that would hold up other calls. */
const LARGEST = 1024 * 1024;
/** Bytes in which a NUL tells that the output is not text. */
const LOOKED_AT = 8192;

/** Both streams of a command, as an answer tells them. */
export interface Told {
  readonly mode: "enriched" | "passthrough" | "raw";
  readonly stdout: ToldStream;
  readonly stderr: ToldStream;
  /** Tells how much is left out and how to read the rest, and names the caller's budget. */
  readonly marker: string | null;
  readonly truncated: boolean;
  readonly recogniser: string | null;
  /** The recogniser that threw or took too long. */
  readonly failed: string | undefined;
}

export interface ToldStream {
  readonly text: string;
  readonly isCut: boolean;
  /** The text differs from the bytes that the program printed. */
  readonly isChanged: boolean;
  /** All of the stream, if it was changed. */
  readonly handle: string | null;
  /** Tells of the lines between the beginning and the end. */
  readonly gap?: string;
  /** The text under the caller's budget, where the budget left lines out. */
  readonly less?: Less;
}

/** Streams of a command and its exit code; a running command has none yet. */
export type Printout = Pick<Outcome, "stdout" | "stderr" | "printed" | "exitCode">;

export interface TellOptions {
  readonly command: string | readonly string[];
  readonly isRaw: boolean;
  /** Share of the room in an answer that the caller's budget leaves; by default all. */
  readonly share?: number;
  /** Note for the first line of the answer. */
  readonly note?: string | null;
}

/** Room in the answer, kinds of output, and the way to the lines left out. */
export interface TellContext extends HandleMaker {
  readonly limits: { readonly budget: StreamBudget; readonly keptBytes: number };
  readonly words: HandleWords;
  readonly recognisers: () => Promise<readonly Recogniser[]>;
  readonly filters?: Filters;
}

/** Digests the output of a command, and cuts in the middle a digest above the budget. */
export async function tell(outcome: Printout, options: TellOptions, context: TellContext): Promise<Told> {
  const { command, isRaw, share = 1, note = null } = options;
  const { short, failed } = isRaw ? UNTOUCHED : await digested(outcome, command, context);
  const shown = { stdout: short?.stdout ?? outcome.stdout, stderr: short?.stderr ?? outcome.stderr };
  const budget = short === undefined ? context.limits.budget : larger(context.limits.budget);
  const [forOut, forErr] = shares(asOutput(shown.stdout), asOutput(shown.stderr), budget);
  const all = { isRaw, outcome, share: isRaw ? 1 : share };
  const stdout = await toldStream({ ...all, name: "stdout", shown: shown.stdout, budget: forOut }, context);
  const stderr = await toldStream({ ...all, name: "stderr", shown: shown.stderr, budget: forErr }, context);
  const isShort = short !== undefined || stdout.less !== undefined || stderr.less !== undefined;
  const leftOut = leftOutOf(short, [stdout, stderr]);
  const cut = isShort
    ? [markerOf({ leftOut }, [stdout.handle, stderr.handle], context.words)]
    : gapsOf([stdout, stderr]);
  return {
    mode: isRaw ? "raw" : short === undefined ? "passthrough" : "enriched",
    stdout,
    stderr,
    marker: [...cut, ...(note === null ? [] : [note])].join(" · ") || null,
    truncated: isShort || stdout.isCut || stderr.isCut,
    recogniser: short?.recogniser ?? null,
    failed,
  };
}

/** The estimate is too high for the reports that a digest is made of. */
function larger({ bytes, tokens }: StreamBudget): StreamBudget {
  return { bytes: bytes * 1.35, tokens: tokens * 1.2 };
}

/** Counts the lines of both streams that the answer leaves out. */
function leftOutOf(short: Digest | undefined, streams: readonly ToldStream[]): number {
  return streams.reduce((sum, { less: each }) => sum + (each?.leftOut ?? 0), short?.leftOut ?? 0);
}

const UNTOUCHED: Digested = { short: undefined, failed: undefined };

async function digested(
  { stdout, stderr, exitCode, printed }: Printout,
  command: TellOptions["command"],
  { recognisers, filters }: TellContext,
): Promise<Digested> {
  const both = [stdout, stderr];
  if (printed !== undefined && isBinary(printed.stdout.head())) return UNTOUCHED;
  if (both.some((each) => typeof each !== "string" && each.head().length < each.total)) return UNTOUCHED;
  const [out = "", err = ""] = both.map((each) => (typeof each === "string" ? each : each.head().toString()));
  if (out.length + err.length > LARGEST) return UNTOUCHED;
  const output = { command, stdout: out, stderr: err, exitCode };
  return await tryDigest(output, await recognisers(), await filters?.dropsOf(command));
}

function gapsOf(streams: readonly ToldStream[]): readonly string[] {
  return streams.flatMap(({ gap }) => gap ?? []);
}

interface Stream {
  readonly isRaw: boolean;
  readonly name: StreamName;
  readonly outcome: Printout;
  readonly shown: PlainOutput | string;
  readonly budget: StreamBudget;
  /** Share of the budget that the session has left for an answer. */
  readonly share: number;
}

async function toldStream(
  { isRaw, name, outcome, shown, budget, share }: Stream,
  context: TellContext,
): Promise<ToldStream> {
  const whole = outcome[name];
  const kept = outcome.printed?.[name];
  if (typeof whole === "string") return { text: whole, isCut: false, isChanged: false, handle: null };
  if (kept !== undefined && isBinary(kept.head())) {
    const text = `[binary data, ${kept.total} bytes: ${describeBinary(kept.head())}]\n`;
    return { text, isCut: true, isChanged: true, handle: await keep(name, asOutput(kept.head()), context) };
  }
  const isDigest = typeof shown === "string" && shown !== whole.head().toString();
  const short = shorten(asOutput(shown), budget);
  const plain = short === undefined ? asOutput(shown).head().toString() : `${short.head}\n${short.tail}`;
  const fewer = share === 1 ? undefined : less(plain, share * budget.tokens);
  // The bytes as the program printed them, escape sequences included.
  if (!isDigest && short === undefined && fewer === undefined)
    return { text: (kept?.head() ?? whole.head()).toString(), isCut: false, isChanged: false, handle: null };
  const handle = await keep(name, whole, context);
  if (fewer !== undefined)
    return { text: fewer.text, isCut: true, isChanged: true, handle, less: withGap(fewer, short) };
  if (short === undefined) return { text: shown as string, isCut: false, isChanged: true, handle };
  if (isDigest) {
    const gap = gapMarker(short, 0, null, context.words);
    return { text: headAndTail(short, [`[${gap}]`]), isCut: true, isChanged: true, handle };
  }
  const failures = isRaw || whole.lost > 0 ? [] : failuresBetween(whole.head().toString(), short);
  const gap = gapMarker(short, whole.lost, handle, context.words);
  return { text: headAndTail(short, failures), isCut: true, isChanged: true, handle, gap };
}

/** Counts the lines between beginning and end, which the budget did not see. */
function withGap({ lines, leftOut, text }: Less, short: Shortened | undefined): Less {
  const gap = short?.omitted.lines ?? 0;
  return { lines: lines + gap, leftOut: leftOut + gap, text };
}

async function keep(name: StreamName, output: PlainOutput, context: TellContext): Promise<string | null> {
  return (await keepStream(name, output, context.limits.keptBytes, context)) ?? null;
}

/** Names that end with a NUL, as `find -print0` prints them, are text. */
function isBinary(bytes: Buffer): boolean {
  const some = bytes.subarray(0, LOOKED_AT);
  return some.includes(0) && !(isUtf8(some.subarray(0, some.lastIndexOf(0))) && !some.some(isControl));
}

function isControl(byte: number): boolean {
  return byte !== 0 && (byte < 9 || (byte > 13 && byte < 32 && byte !== 27));
}
