import { crc32, deflateSync } from "node:zlib";

const uint = (value: number, bytes: number, little = false): Buffer => {
  const buffer = Buffer.alloc(bytes);
  if (little) buffer.writeUIntLE(value, 0, bytes);
  else buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([uint(data.length, 4), body, uint(crc32(body), 4)]);
}

/** Returns a black PNG with one bit for each pixel and `note` as a comment. */
export function png(width: number, height: number, note: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.concat([uint(width, 4), uint(height, 4), Buffer.from([1, 0, 0, 0, 0])]);
  const rows = width * height > 1e8 ? Buffer.alloc(9) : Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    ...(note.length === 0 ? [] : [chunk("teXt", note)]),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Returns a PNG of that many bytes. */
export function pngOf(bytes: number, width = 10, height = 10): Buffer {
  const around = png(width, height, Buffer.of(0)).length - 1;
  return png(width, height, Buffer.alloc(bytes - around, 7));
}

export interface JpegParts {
  /** Segments before the frame, each with its marker and content. */
  readonly before?: readonly (readonly [marker: number, content: Buffer])[];
  readonly frame?: number;
}

/** Returns only the container of a WebP, without image data. */
export function jpeg(width: number, height: number, { before = [], frame = 0xc0 }: JpegParts = {}): Buffer {
  const segment = (marker: number, content: Buffer) =>
    Buffer.concat([Buffer.from([0xff, marker]), uint(content.length + 2, 2), content]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from("JFIF\0\x01\x01\0\0\x01\0\x01\0\0", "latin1")),
    ...before.map(([marker, content]) => segment(marker, content)),
    segment(frame, Buffer.concat([Buffer.of(8), uint(height, 2), uint(width, 2), Buffer.from([1, 1, 0x11, 0])])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0x34, 0xff, 0, 0x56, 0xff, 0xd9]),
  ]);
}

export function gif(width: number, height: number, version: "87a" | "89a" = "89a"): Buffer {
  return Buffer.concat([
    Buffer.from(`GIF${version}`),
    uint(width, 2, true),
    uint(height, 2, true),
    // Global table with two colours.
    Buffer.from([0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff]),
    ...(version === "89a" ? [Buffer.from([0x21, 0xf9, 4, 0, 0, 0, 0, 0])] : []),
    Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 0, 0, 0, 9, 9, 9]),
    Buffer.from([2, 2, 0x44, 1, 0, 0x3b]),
  ]);
}

export type WebpKind = "lossy" | "lossless" | "extended";

export function webp(width: number, height: number, kind: WebpKind = "lossy"): Buffer {
  const [type, data] = webpChunk(width, height, kind);
  const body = Buffer.concat([Buffer.from(`WEBP${type}`), uint(data.length, 4, true), data, Buffer.alloc(8)]);
  return Buffer.concat([Buffer.from("RIFF"), uint(body.length, 4, true), body]);
}

function webpChunk(width: number, height: number, kind: WebpKind): [type: string, data: Buffer] {
  switch (kind) {
    case "lossy":
      return [
        "VP8 ",
        Buffer.concat([Buffer.from([0x10, 0, 0, 0x9d, 0x01, 0x2a]), uint(width, 2, true), uint(height, 2, true)]),
      ];
    case "lossless":
      return [
        "VP8L",
        Buffer.concat([Buffer.of(0x2f), uint(width - 1 + (height - 1) * 0x4000, 4, true), Buffer.alloc(5)]),
      ];
    case "extended":
      return ["VP8X", Buffer.concat([Buffer.alloc(4), uint(width - 1, 3, true), uint(height - 1, 3, true)])];
  }
}
