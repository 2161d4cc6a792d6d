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
  const last = first + omitted.lines - 1;
  const total = last + tail.split("\n").length - 1;
  const gap = head === "" || head.endsWith("\n") ? "" : "\n";
  return `${head}${gap}[${told()}]\n${tail}`;

  function told(): string {
    if (handle === null) return `${omitted.lines} lines cut`;
    if (omitted.lines === 0) return `${omitted.bytes} bytes cut: ${reading(handle, context)}`;
    return `${total} lines, cut: ${reading(handle, context)} lines=${first}-${last}`;
  }
}

/** Tells what a digest left out and how to read it. */
export function markerOf(
  { leftOut }: Digest,
  handles: readonly (string | null)[],
  context: Pick<EnvelopeContext, "hintOf">,
): string {
  const what = leftOut === 0 ? "folded" : `${leftOut} ${leftOut === 1 ? "line" : "lines"} cut`;
  const names = handles.filter((handle) => handle !== null);
  return names.length === 0 ? what : `${what}: ${names.map((handle) => reading(handle, context)).join(", ")} match`;
}

/** Names the tool as clients list it. */
function reading(handle: string, { hintOf }: Pick<EnvelopeContext, "hintOf">): string {
  return hintOf(`linux.handle_read ${shortName(handle)}`);
}

export function asOutput(text: PlainOutput | Buffer | string): PlainOutput {
  if (typeof text !== "string" && !Buffer.isBuffer(text)) return text;
  const bytes = Buffer.from(text);
  const lines = bytes.toString("latin1").split("\n").length - 1;
  return { head: () => bytes, tail: () => Buffer.alloc(0), total: bytes.length, lines, lost: 0, isFullScreen: false };
}
