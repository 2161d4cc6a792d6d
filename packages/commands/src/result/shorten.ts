import type { PlainOutput } from "@llmc/te-shell";
import { estimateTokens } from "@llmc/toolkit";

/** Room for one stream in an answer. */
export interface StreamBudget {
  readonly bytes: number;
  readonly tokens: number;
}

/** Beginning and end of an output, with the amount left out between them. */
export interface Shortened {
  readonly head: string;
  readonly tail: string;
  readonly omitted: { readonly bytes: number; readonly lines: number };
}

/** Share of the beginning. The end gets more because it tells how the command ended. */
const HEAD_SHARE = 0.4;
const NEWLINE = 0x0a;

/** Returns undefined when the output fits uncut. */
export function shorten(output: PlainOutput, budget: StreamBudget): Shortened | undefined {
  const isWhole = output.head().length === output.total;
  if (isWhole && output.total <= budget.bytes && estimateTokens(output.head().toString()) <= budget.tokens)
    return undefined;
  let bytes = Math.min(budget.bytes, output.total);
  for (;;) {
    const cut = cutTo(output, bytes);
    const cost = estimateTokens(cut.head) + estimateTokens(cut.tail);
    if (cost <= budget.tokens || bytes <= 64) return cut;
    bytes = Math.max(64, Math.floor(bytes * Math.min(0.9, budget.tokens / cost)));
  }
}

function cutTo(output: PlainOutput, bytes: number): Shortened {
  const first = output.head().subarray(0, Math.floor(bytes * HEAD_SHARE));
  const last = output.total === output.head().length ? output.head() : output.tail();
  const rest = last.subarray(Math.max(0, last.length - (bytes - first.length)));
  const [head, tail] = [upToLine(first), fromLine(rest)];
  const lines = output.lines - newlines(head) - newlines(tail);
  return {
    head: head.toString(),
    tail: tail.toString(),
    omitted: { bytes: output.total - head.length - tail.length, lines: Math.max(0, lines) },
  };
}

/** Cuts after the last line end, or in a long line after the last whole character. */
function upToLine(bytes: Buffer): Buffer {
  const line = bytes.lastIndexOf(NEWLINE) + 1;
  if (line > bytes.length / 2) return bytes.subarray(0, line);
  let end = bytes.length;
  // A cut before a continuation byte of UTF-8, which begins with the bits 10, would split a character.
  while (end > 0 && end > bytes.length - 4 && ((bytes[end] ?? bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  if (end === bytes.length && end > 0 && (bytes[end - 1] ?? 0) >= 0xc0) end -= 1;
  return bytes.subarray(0, end);
}

function fromLine(bytes: Buffer): Buffer {
  const line = bytes.indexOf(NEWLINE) + 1;
  if (line > 0 && line < bytes.length / 2) return bytes.subarray(line);
  let start = 0;
  while (start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}

function newlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
