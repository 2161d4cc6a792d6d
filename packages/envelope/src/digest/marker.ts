import type { Shortened } from "@llmc/commands";
import { shortName } from "@llmc/handles";
import type { PlainOutput } from "@llmc/te-shell";
import type { EnvelopeContext } from "../context.js";
import type { Digest } from "./digest.js";

/** Beginning and end of an output, and between them how to read the rest. */
export function headAndTail(
  { head, tail, omitted }: Shortened,
  handle: string | null,
  context: Pick<EnvelopeContext, "hintOf">,
): string {
  const first = head.split("\n").length;
  const lines = `${first}-${first + omitted.lines - 1}`;
  const rest = handle === null || omitted.lines === 0 ? "" : `: ${reading(handle, context)} lines=${lines}`;
  const gap = head === "" || head.endsWith("\n") ? "" : "\n";
  const size = omitted.lines === 0 ? `${omitted.bytes} bytes` : `${omitted.lines} lines`;
  return `${head}${gap}… [${size} left out${rest}]\n${tail}`;
}

/** Tells what a digest left out and how to read it. */
export function markerOf(
  { lines, leftOut }: Pick<Digest, "lines" | "leftOut">,
  handles: readonly (string | null)[],
  context: Pick<EnvelopeContext, "hintOf">,
): string {
  const what = leftOut === 0 ? "folded" : `${leftOut} of ${lines} lines left out`;
  const names = handles.filter((handle) => handle !== null);
  return names.length === 0 ? what : `${what}: ${names.map((handle) => reading(handle, context)).join(", ")} match`;
}

/** Names the tool as clients list it. */
function reading(handle: string, { hintOf }: Pick<EnvelopeContext, "hintOf">): string {
  return hintOf(`linux.handle_read ${shortName(handle)}`);
}

export function asOutput(text: PlainOutput | string): PlainOutput {
  if (typeof text !== "string") return text;
  const bytes = Buffer.from(text);
  const lines = text.split("\n").length - 1;
  return { head: () => bytes, tail: () => Buffer.alloc(0), total: bytes.length, lines, lost: 0, isFullScreen: false };
}
