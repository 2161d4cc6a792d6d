import type { Shortened } from "@llmc/commands";
import { shortName } from "@llmc/handles";
import type { PlainOutput } from "@llmc/te-shell";
import type { HandleWords } from "../context.js";
import type { Digest } from "./digest.js";

/** Beginning and end of an output, and between them how to read the rest. */
export function headAndTail({ head, tail, omitted }: Shortened, handle: string | null, words: HandleWords): string {
  const first = head.split("\n").length;
  const last = first + omitted.lines - 1;
  const total = last + tail.split("\n").length - 1;
  const gap = head === "" || head.endsWith("\n") ? "" : "\n";
  return `${head}${gap}[${told()}]\n${tail}`;

  function told(): string {
    if (handle === null) return `${omitted.lines} lines cut`;
    if (omitted.lines === 0) return `${omitted.bytes} bytes cut: ${words.match([shortName(handle)])}`;
    return `${total} lines, cut: ${words.lines(shortName(handle), `${first}-${last}`)}`;
  }
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
