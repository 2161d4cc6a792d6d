import type { Shortened } from "@llmc/commands";
import { shortName } from "@llmc/handles";
import type { PlainOutput } from "@llmc/te-shell";
import type { HandleWords } from "../context.js";
import type { Digest } from "./digest.js";

/** Tells how much was cut between the beginning and the end, and how to read it. */
export function gapMarker(
  { head, tail, omitted }: Shortened,
  lost: number,
  handle: string | null,
  words: HandleWords,
): string {
  const first = head.split("\n").length;
  const last = first + omitted.lines - 1;
  const total = last + tail.split("\n").length - 1;
  if (handle === null) return `${omitted.lines} lines cut`;
  // Without the lost bytes the lines of the handle have other numbers.
  if (lost > 0) return `${total} lines, the middle lost: ${words.match([shortName(handle)])}`;
  if (omitted.lines === 0) return `${omitted.bytes} bytes cut: ${words.match([shortName(handle)])}`;
  return `${total} lines, cut: ${words.lines(shortName(handle), `${first}-${last}`)}`;
}

/** Beginning and end of an output, between them the lines of the gap that tell of a failure. */
export function headAndTail({ head, tail }: Shortened, failures: readonly string[]): string {
  const gap = failures.length === 0 ? ["…"] : ["…", ...failures, "…"];
  return `${head}${head === "" || head.endsWith("\n") ? "" : "\n"}${gap.join("\n")}\n${tail}`;
}

const FAILURE = /\b(?:errors?|fail(?:ed|ure|ures|s)?|fatal|panic(?:ked)?|exception|traceback|denied|cannot|killed)\b/i;
const NONE = /\b(?:0|no) (?:errors?|fail\w*|exceptions?)\b/i;
/** Characters of a gap that are looked through. */
const LOOKED_THROUGH = 2 * 1024 * 1024;
const MOST = 12;
const LONGEST = 300;

/** Lines between the beginning and the end that tell of a failure; the first of many. */
export function failuresBetween(text: string, { head, tail }: Shortened): readonly string[] {
  if (text.length > LOOKED_THROUGH) return [];
  const gap = text.slice(head.length, text.length - tail.length);
  const found = gap.split("\n").filter((line) => FAILURE.test(line) && !NONE.test(line));
  const told = found.slice(0, MOST).map((line) => (line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`));
  return found.length <= MOST ? told : [...told, `… ${found.length - MOST} more like these`];
}

/** Tells how much a digest left out, and how to read the rest. */
export function markerOf(
  { leftOut }: Pick<Digest, "leftOut">,
  handles: readonly (string | null)[],
  words: HandleWords,
): string {
  const what = leftOut === 0 ? "folded" : `${leftOut} ${leftOut === 1 ? "line" : "lines"} cut`;
  const names = handles.filter((handle) => handle !== null).map(shortName);
  return names.length === 0 ? what : `${what}: ${words.match(names)}`;
}

export function asOutput(text: PlainOutput | Buffer | string): PlainOutput {
  if (typeof text !== "string" && !Buffer.isBuffer(text)) return text;
  const bytes = Buffer.from(text);
  const lines = bytes.toString("latin1").split("\n").length - 1;
  return { head: () => bytes, tail: () => Buffer.alloc(0), total: bytes.length, lines, lost: 0, isFullScreen: false };
}
