import { estimateTokens } from "@llmc/toolkit";
import { parseCommand } from "../recognise/command.js";
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

/** Characters below which every line stays. */
const SMALL = 1024;
const LEAST_SHARE = 0.25;
const LEAST_TOKENS = 100;
const TAIL_LINES = 3;
const UNPARSED_TAIL = 10;
const FAILURE = /error|fail|✖|✗|panic|fatal|exception|denied|not ok/i;
/** A line of source beside a diagnostic. */
const MARGIN = /^\s*\d*\s*[|│^~]/;
const LONG_LINE = 2000;
const LINE_ENDS = 400;

/**
 * Shortens an output by the grammar of its kind; undefined where it stays as it is. The exit code alone says how the
 * command ended.
 */
export function digest(
  { command, stdout, stderr, exitCode }: Output,
  recognisers: readonly Recogniser[],
): Digest | undefined {
  if (stdout.length + stderr.length < SMALL) return undefined;
  const line = parseCommand(command);
  if (isExactForm(line)) return undefined;
  const both = [linesOf(stdout), linesOf(stderr)] as const;
  const failed = exitCode !== 0;
  let recogniser: string | undefined;
  const [out = [], err = []] = both.map((lines) => {
    const short = lines.map(cutLine);
    if (lines.length === 0) return [];
    for (const { name, grammar, failures, hasEnd } of recognise(recognisers, line.printing, short)) {
      const pieces = grammar(short, { failed });
      if (pieces === undefined || !isShorter(pieces, short)) continue;
      recogniser ??= name;
      const isTold = failed && failures !== undefined && pieces.some(({ text }) => FAILURE.test(text));
      return isTold || (!failed && hasEnd !== true) ? pieces : withTail(pieces, short, failed);
    }
    return collapsed(short);
  });
  const [outText, errText] = [textOf(out), textOf(err)];
  const before = estimateTokens(stdout) + estimateTokens(stderr);
  const saved = before - estimateTokens(outText) - estimateTokens(errText);
  if (saved < LEAST_TOKENS || saved < LEAST_SHARE * before) return undefined;
  const lines = both.reduce((sum, each) => sum + each.filter((text) => text.trim() !== "").length, 0);
  const told = [...out, ...err].reduce((sum, { tells, text }) => sum + (text.trim() === "" ? 0 : tells), 0);
  return { stdout: outText, stderr: errText, recogniser, lines, leftOut: Math.max(0, lines - told) };
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
  return [
    ...pieces,
    ...filled
      .slice(-count)
      .filter((line) => !texts.has(line.trim()) && !MARGIN.test(line))
      .map(asIs),
  ];
}

function textOf(pieces: readonly Piece[]): string {
  if (pieces.length === 0) return "";
  return `${pieces
    .map(({ text }) => text)
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")}\n`;
}
