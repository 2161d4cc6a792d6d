import { estimateTokens } from "@llmc/toolkit";
import type { Drops } from "../filters/compile.js";
import { atOnce, inTurns, type Steps } from "./steps.js";
import { parseCommand, type CommandLine } from "../recognise/command.js";
import { isExactForm } from "../recognise/exact.js";
import { recognise } from "../recognise/recognise.js";
import type { Recogniser } from "../recognise/recogniser.js";
import { asIs, made, type Piece } from "../shape/piece.js";

export interface Output {
  readonly command: string | readonly string[];
  /** Without escape sequences, each line as a terminal leaves it. */
  readonly stdout: string;
  readonly stderr: string;
  /** null while the command runs. */
  readonly exitCode: number | null;
}

export interface Digest {
  readonly stdout: string;
  readonly stderr: string;
  /** Kind of output; undefined for the general case. */
  readonly recogniser: string | undefined;
  /** Lines of the output that are not empty. */
  readonly lines: number;
  /** Lines that the digest does not tell in full. */
  readonly leftOut: number;
}

export interface DigestOptions {
  /** Called for a recogniser that throws or takes too long; the output is then told as one of an unknown kind. */
  readonly onFailure?: (recogniser: string) => void;
  /** Lines of stdout that the operator does not want to see. */
  readonly drops?: Drops | undefined;
}

/** Characters below which every line stays. */
const SMALL = 1024;
const LEAST_SHARE = 0.25;
const LEAST_TOKENS = 100;
const CLEARLY = 12;
/** Tokens below which the lines that a filter drops cost less than a marker. */
const LEAST_FILTERED = 40;
const TAIL_LINES = 3;
const UNPARSED_TAIL = 10;
const FAILURE = /error|fail|✖|✗|panic|fatal|exception|denied|not ok/i;
/** A line of source beside a diagnostic. */
const MARGIN = /^\s*\d*\s*[|│^~]/;
const LONG_LINE = 2000;
/** Characters of an answer. */
const ROOM = 16_000;
const LINE_ENDS = 400;
/**
 * Milliseconds that the recognisers of an output may take, and characters for which they get one more. The slowest of
 * ours take 0.4 ms for a thousand characters, on a cold start.
 */
const LONGEST_MS = 250;
const CHARACTERS_A_MS = 1000;

/**
 * Shortens an output by the grammar of its kind; undefined where it stays as it is. The exit code alone says how the
 * command ended.
 */
export function digest(
  output: Output,
  recognisers: readonly Recogniser[],
  options: DigestOptions = {},
): Digest | undefined {
  return atOnce(digesting(output, recognisers, options));
}

function* digesting(
  output: Output,
  recognisers: readonly Recogniser[],
  { drops, onFailure }: DigestOptions,
): Steps<Digest | undefined> {
  const kinds = { recognisers, onFailure };
  const { stdout, stderr } = output;
  if (stdout.length + stderr.length < SMALL) return undefined;
  const line = parseCommand(output.command);
  if (isExactForm(line)) return undefined;
  const both = [linesOf(stdout), linesOf(stderr)] as const;
  yield;
  const plain = (yield* byKind(output, both, line, kinds)) ?? { streams: byLines(both) };
  yield;
  const short = worthwhile(plain, output, both);
  const shown = drops === undefined ? both[0] : both[0].filter((text) => !drops(text));
  if (shown.length === both[0].length) return short;
  return yield* filtered(output, { plain, isWorth: short !== undefined, both, shown }, line, kinds);
}

interface Filtering {
  readonly plain: Recognised;
  /** True if the output is shortened without the filter too. */
  readonly isWorth: boolean;
  readonly both: Streams;
  /** Lines of stdout that the filter leaves. */
  readonly shown: readonly string[];
}

/** Digests an output without lines that the operator drops. The text for stderr does not depend on the filter. */
function* filtered(
  output: Output,
  { plain, isWorth, both, shown }: Filtering,
  line: CommandLine,
  kinds: Kinds,
): Steps<Digest | undefined> {
  const [, errors = []] = plain.streams;
  if (isWorth) {
    const [rest = []] = (yield* byKind(output, [shown, []], line, kinds))?.streams ?? byLines([shown, []]);
    return told({ ...plain, streams: [rest, errors] }, both);
  }
  const rest = told({ streams: [shown.map(asIs), both[1].map(asIs)] }, both);
  const saved = estimateTokens(output.stdout) - estimateTokens(rest.stdout);
  return saved < LEAST_FILTERED ? undefined : { ...rest, stderr: output.stderr };
}

/** Returns undefined where the digest saves too little. */
function worthwhile(recognised: Recognised, { stdout, stderr }: Output, both: Streams): Digest | undefined {
  const short = told(recognised, both);
  if (short.stdout === stdout && short.stderr === stderr) return undefined;
  // No count of tokens is off by so much.
  if (stdout.length + stderr.length > CLEARLY * (short.stdout.length + short.stderr.length)) return short;
  const before = estimateTokens(stdout) + estimateTokens(stderr);
  const saved = before - estimateTokens(short.stdout) - estimateTokens(short.stderr);
  return saved < LEAST_TOKENS || saved < LEAST_SHARE * before ? undefined : short;
}

function told({ recogniser, streams }: Recognised, both: Streams): Digest {
  const [out = [], err = []] = streams;
  const lines = both.reduce((sum, each) => sum + each.filter((text) => text.trim() !== "").length, 0);
  const count = [...out, ...err].reduce((sum, { tells, text }) => sum + (text.trim() === "" ? 0 : tells), 0);
  return { stdout: textOf(out), stderr: textOf(err), recogniser, lines, leftOut: Math.max(0, lines - count) };
}

export interface Digested {
  readonly short: Digest | undefined;
  /** The recogniser that threw or took too long. */
  readonly failed: string | undefined;
}

/** Digests an output in steps, so that other calls have their turn, and tells of a recogniser that failed. */
export async function tryDigest(
  output: Output,
  recognisers: readonly Recogniser[],
  drops: Drops | undefined,
): Promise<Digested> {
  let failed: string | undefined;
  const options = { drops, onFailure: (recogniser: string) => (failed = recogniser) };
  const short = await inTurns(digesting(output, recognisers, options));
  return { short, failed };
}

/** Lines of stdout and of stderr. */
type Streams = readonly [readonly string[], readonly string[]];

interface Kinds {
  readonly recognisers: readonly Recogniser[];
  readonly onFailure: DigestOptions["onFailure"] | undefined;
}

interface Recognised {
  readonly recogniser?: string | undefined;
  readonly streams: readonly (readonly Piece[])[];
}

/** Digests both streams by the kinds that fit; undefined if a recogniser throws or takes too long. */
function* byKind(
  { stdout, stderr, exitCode }: Output,
  both: Streams,
  { printing }: CommandLine,
  { recognisers, onFailure }: Kinds,
): Steps<Recognised | undefined> {
  let spent = 0;
  const longest = LONGEST_MS + (stdout.length + stderr.length) / CHARACTERS_A_MS;
  const failed = exitCode !== 0;
  const isAlone = stdout === "" || stderr === "";
  let tried = "recognise";
  let recogniser: string | undefined;
  try {
    const streams: (readonly Piece[])[] = [];
    for (const lines of both) {
      const short = lines.map(cutLine);
      let told: readonly Piece[] | undefined;
      for (const { name, grammar, failures, hasEnd, isWhole } of recognise(recognisers, printing, short)) {
        tried = name;
        yield;
        const start = performance.now();
        const pieces = grammar(isWhole === true ? lines : short, { failed, isAlone });
        spent += performance.now() - start;
        if (pieces === undefined || !isShorter(pieces, short)) continue;
        recogniser ??= name;
        const isTold = failed && failures !== undefined && pieces.some(({ text }) => FAILURE.test(text));
        told = isTold || (!failed && hasEnd !== true) ? pieces : withTail(pieces, short, failed);
        break;
      }
      streams.push(told ?? collapsed(fits(both) ? lines : short));
    }
    if (spent <= longest) return { recogniser, streams };
  } catch {
    // The command has run and its output is told, even if a recogniser has a bug.
  }
  onFailure?.(tried);
  return undefined;
}

/** Cuts long lines only of an output that is too large for an answer. */
function byLines(both: Streams): Piece[][] {
  return both.map((lines) => collapsed(fits(both) ? lines : lines.map(cutLine)));
}

function fits(both: Streams): boolean {
  return both.reduce((sum, lines) => lines.reduce((all, line) => all + line.length + 1, sum), 0) <= ROOM;
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

/** The end of a very long line stays, because a message may stand there. */
function cutLine(line: string): string {
  if (line.length <= LONG_LINE) return line;
  return `${line.slice(0, LINE_ENDS)} …[+${line.length - 2 * LINE_ENDS} characters]… ${line.slice(-LINE_ENDS)}`;
}

/** Another kind of output may be told shorter. */
function isShorter(pieces: readonly Piece[], lines: readonly string[]): boolean {
  const size = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length + 1, 0);
  return size(pieces.map(({ text }) => text)) <= (1 - LEAST_SHARE) * size(lines);
}

/** Equal neighbours are told once. */
function collapsed(lines: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < lines.length;) {
    let end = at + 1;
    while (end < lines.length && lines[end] === lines[at]) end += 1;
    const line = lines[at] ?? "";
    pieces.push(end - at > 2 && line.trim() !== "" ? made(`${line}  ×${end - at}`, end - at) : asIs(line));
    if (end - at === 2) pieces.push(asIs(line));
    at = end;
  }
  return pieces;
}

/** Adds the last lines, because the end of an output tells most; more lines if nothing else tells of a failure. */
function withTail(pieces: readonly Piece[], lines: readonly string[], failed: boolean): Piece[] {
  const texts = new Set(pieces.map(({ text }) => text.trim()));
  const count = !failed ? 2 : pieces.some(({ text }) => FAILURE.test(text)) ? TAIL_LINES : UNPARSED_TAIL;
  const filled = lines.filter((line) => line.trim() !== "");
  const all = [...texts].join("\n");
  return [
    ...pieces,
    ...filled
      .slice(-count)
      .filter((line) => !texts.has(line.trim()) && !MARGIN.test(line) && !isDiagnosed(line, all))
      .map(asIs),
  ];
}

/** `a.c:5:16: `, `a.ts(3,4): `, `  3:4  `: the place of a diagnostic. */
const PLACED = /^\s*(?:\S+[:(])?\d+[:,]\d+\)?:?\s+/;

/** Tells whether a diagnostic is told, by its message or by the form of several messages. */
function isDiagnosed(line: string, told: string): boolean {
  const message = line
    .replace(PLACED, "")
    .replaceAll(/\s{2,}/g, "  ")
    .trim();
  if (message === line.trim()) return false;
  return told.includes(message) || told.includes(message.replaceAll(/(['"`])[^'"`]*\1/g, "$1…$1"));
}

function textOf(pieces: readonly Piece[]): string {
  if (pieces.length === 0) return "";
  return `${pieces
    .map(({ text }) => text)
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")}\n`;
}
