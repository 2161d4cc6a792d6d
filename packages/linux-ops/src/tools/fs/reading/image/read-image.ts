import { isAscii } from "node:buffer";
import {
  MAGIC_BYTES,
  MAX_SCALED_BYTES,
  type ImageFormat,
  type ImageHeader,
  type ScaledImage,
  type Scaler,
} from "@llmc/documents";
import { OutputTooLargeError, UnsupportedContentError } from "@llmc/errors";
import { readBytes, type OpenFile } from "@llmc/te-fs";
import type { LinuxOpsContext } from "../../../../context/context.js";
import type { Budget } from "../../../../answer/budget.js";
import type { Reading } from "../reading.js";
import { imageTokens, MAX_IMAGE_BYTES, MAX_IMAGE_EDGE, SCALED_EDGE } from "../../../../answer/image-limits.js";

/** A picture as it is, or scaled down where it is too large and something can do that. Null: it is text after all. */
export async function readImage(
  file: OpenFile,
  format: ImageFormat,
  budget: Budget,
  context: LinuxOpsContext,
): Promise<Reading | null> {
  const bytes = await readBytes(file, { offset: 0, length: MAX_IMAGE_BYTES, signal: context.signal });
  const isWhole = bytes.length === file.size;
  const header = format.parse(bytes);
  if (isWhole && header?.complete !== true) {
    if (isText(bytes)) return null;
    // A client whose model API cannot decode an image loses the whole conversation.
    throw new UnsupportedContentError(file.path, `${format.name} image, broken or cut off`, file.size);
  }
  const what = describe(format, header, file.size);
  if (isWhole && header !== null && Math.max(header.width, header.height) <= MAX_IMAGE_EDGE) {
    demandRoom(file.path, what, { data: bytes, ...header }, budget);
    return reading(file, what, { data: bytes, mimeType: format.mimeType, ...header });
  }
  const scaler = await context.readers.scaler();
  const scaled = scaler && (await scaledDown(file, scaler, budget, context));
  if (scaled === null) {
    const hint = scaler === null ? NOT_INSTALLED : NOT_SCALED;
    throw new OutputTooLargeError(file.path, `is too large to be shown (${what})`, hint);
  }
  demandRoom(file.path, what, scaled, budget);
  return reading(file, `${what}, scaled to ${scaled.width} x ${scaled.height}`, scaled);
}

/** "GIF89a" is how a picture begins, and may be how an essay on it does. */
function isText(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 8192);
  return isAscii(head.subarray(0, MAGIC_BYTES)) && !head.includes(0);
}

const SMALLER = `make it at most ${MAX_IMAGE_EDGE} pixels a side and ${MAX_IMAGE_BYTES / 1024} KiB`;
const NOT_INSTALLED = `The operator can install the npm package sharp, which scales it; or ${SMALLER}.`;
const NOT_SCALED = `It could not be scaled down here: ${SMALLER}.`;

function describe({ name }: ImageFormat, header: ImageHeader | null, size: number): string {
  const pixels = header === null ? "" : `, ${header.width} x ${header.height} pixels`;
  return `${name} image${pixels}, ${size} bytes`;
}

/** Half an image is none: one that does not fit beside the others is left for a call of its own. */
function demandRoom(
  path: string,
  what: string,
  image: Pick<ScaledImage, "data" | "width" | "height">,
  budget: Budget,
): void {
  if (image.data.length <= budget.imageBytes && imageTokens(image) <= budget.imageTokens) return;
  throw new OutputTooLargeError(path, `does not fit beside the other files (${what})`, "Read it in a call of its own.");
}

async function scaledDown(
  file: OpenFile,
  scaler: Scaler,
  { imageBytes }: Budget,
  { readers, mcp, signal }: LinuxOpsContext,
): Promise<ScaledImage | null> {
  if (file.size > MAX_SCALED_BYTES) return null;
  const timeoutMs = mcp.tools.read_timeout * SCALING_MS;
  const options = { edge: SCALED_EDGE, bytes: imageBytes, timeoutMs, signal };
  return readers.turns.take(() => scaler.scale(contentOf(file, signal), options), signal);
}

/** Milliseconds of each second of `read_timeout`; the rest is for the answer. */
const SCALING_MS = 700;
const PIECE_BYTES = 1024 * 1024;

/** Reads the file in pieces, so that this process never has all of it in memory. */
async function* contentOf(file: OpenFile, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let offset = 0; offset < file.size; offset += PIECE_BYTES)
    yield await readBytes(file, { offset, length: PIECE_BYTES, signal });
}

function reading(file: OpenFile, content: string, { data, mimeType, width, height }: ScaledImage): Reading {
  return {
    content,
    handle: null,
    meta: { path: file.path, total_lines: 0, truncated: false, total_bytes: file.size },
    image: { mime_type: mimeType, data: data.toString("base64"), width, height },
  };
}
