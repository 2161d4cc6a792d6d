import { isAscii } from "node:buffer";
import { OutputTooLargeError, UnsupportedContentError } from "@llmc/errors";
import { readBytes, type OpenFile } from "@llmc/te-fs";
import type { LinuxOpsContext } from "../../../../context/context.js";
import type { Budget } from "../../../../answer/budget.js";
import type { Reading } from "../reading.js";
import { MAGIC_BYTES, type ImageFormat } from "./format.js";
import type { ImageHeader } from "./header.js";
import {
  imageTokens,
  MAX_IMAGE_BYTES,
  MAX_IMAGE_EDGE,
  MAX_SCALED_BYTES,
  SCALED_EDGE,
} from "../../../../answer/image-limits.js";
import type { ScaledImage } from "../../../../context/scaler.js";

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
  const scaled = await scaledDown(file, bytes, budget, context);
  if (scaled === null) throw new OutputTooLargeError(file.path, `is too large to be shown (${what})`, TOO_LARGE);
  demandRoom(file.path, what, scaled, budget);
  return reading(file, `${what}, scaled to ${scaled.width} x ${scaled.height}`, scaled);
}

/** "GIF89a" is how a picture begins, and may be how an essay on it does. */
function isText(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 8192);
  return isAscii(head.subarray(0, MAGIC_BYTES)) && !head.includes(0);
}

const TOO_LARGE =
  `Make it at most ${MAX_IMAGE_EDGE} pixels a side and ${MAX_IMAGE_BYTES / 1024} KiB; where the operator installs the ` +
  'npm package sharp, it is scaled here. encoding: "base64" reads its bytes.';

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
  head: Buffer,
  { imageBytes }: Budget,
  { readers, signal }: LinuxOpsContext,
): Promise<ScaledImage | null> {
  if (file.size > MAX_SCALED_BYTES) return null;
  const scaler = await readers.scaler();
  if (scaler === null) return null;
  const bytes = head.length === file.size ? head : await readBytes(file, { offset: 0, length: file.size, signal });
  return readers.turns.take(() => scaler.scale(bytes, { edge: SCALED_EDGE, bytes: imageBytes }), signal);
}

function reading(file: OpenFile, content: string, { data, mimeType, width, height }: ScaledImage): Reading {
  return {
    content,
    handle: null,
    meta: { path: file.path, total_lines: 0, truncated: false, total_bytes: file.size },
    image: { mime_type: mimeType, data: data.toString("base64"), width, height },
  };
}
