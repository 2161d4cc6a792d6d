import { parseGif } from "./gif.js";
import type { ImageHeader } from "./header.js";
import { parseJpeg } from "./jpeg.js";
import { parsePng } from "./png.js";
import { parseWebp } from "./webp.js";

export interface ImageFormat {
  readonly name: string;
  readonly mimeType: string;
  readonly isAt: (head: Buffer) => boolean;
  /**
   * Returns null for other bytes. The time to parse depends on the number of bytes, not on sizes that the bytes claim.
   */
  readonly parse: (bytes: Buffer) => ImageHeader | null;
}

/** Formats that model APIs accept. */
const FORMATS: readonly ImageFormat[] = [
  { name: "PNG", mimeType: "image/png", isAt: starting("\x89PNG\r\n\x1a\n"), parse: parsePng },
  { name: "JPEG", mimeType: "image/jpeg", isAt: starting("\xff\xd8\xff"), parse: parseJpeg },
  { name: "GIF", mimeType: "image/gif", isAt: (head) => /^GIF8[79]a/.test(text(head)), parse: parseGif },
  { name: "WebP", mimeType: "image/webp", isAt: (head) => /^RIFF.{4}WEBP/s.test(text(head)), parse: parseWebp },
];

/** Bytes from which the format is recognised. */
export const MAGIC_BYTES = 12;

export function imageFormat(head: Buffer): ImageFormat | undefined {
  return FORMATS.find(({ isAt }) => isAt(head));
}

function starting(magic: string): (head: Buffer) => boolean {
  return (head) => text(head).startsWith(magic);
}

function text(head: Buffer): string {
  return head.toString("latin1", 0, MAGIC_BYTES);
}
