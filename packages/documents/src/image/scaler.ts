import { run } from "@llmc/te-run";
import { limited, nodeProgram, type ReaderProgram } from "../program/reader-program.js";
import { parseWebp } from "./webp.js";

/** Fits the photos of the largest cameras. */
export const MAX_SCALED_BYTES = 256 * 1024 * 1024;
const MAX_SCALED_PIXELS = 500_000_000;

/** Scales images down. The only implementation runs sharp in its own process. */
export interface Scaler {
  readonly version: string;
  /** Returns null if the bytes cannot be decoded, or if no size is small enough in time. */
  scale(image: AsyncIterable<Buffer>, options: ScaleOptions): Promise<ScaledImage | null>;
}

export interface ScaleOptions {
  /** Most pixels of the longer side. */
  readonly edge: number;
  /** Most bytes of the result. */
  readonly bytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface ScaledImage {
  readonly data: Buffer;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
}

/** Tries smaller sides until the bytes fit. Plain JavaScript, because Node runs it with -e. */
const SCRIPT = `
import sharp from "sharp";
const [edge, most, pixels] = process.argv.slice(-3).map(Number);
sharp.cache(false);
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const image = Buffer.concat(chunks);
for (const side of [1, 0.7, 0.4].map((part) => Math.round(edge * part))) {
  const data = await sharp(image, { limitInputPixels: pixels, sequentialRead: true })
    // Applies the camera's orientation tag, which the output does not keep.
    .rotate()
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer();
  if (data.length <= most) {
    process.stdout.write(data);
    break;
  }
}
`;

const MAX_STDERR = 4096;

/** Returns null if the npm package sharp is not installed. */
export function imageScaler(): Scaler | null {
  const program = nodeProgram("sharp", SCRIPT);
  return program && { version: program.name, scale: (image, options) => scaledBy(program, image, options) };
}

async function scaledBy(
  program: ReaderProgram,
  image: AsyncIterable<Buffer>,
  { edge, bytes, timeoutMs, signal }: ScaleOptions,
): Promise<ScaledImage | null> {
  const argv = await limited(program, [edge, bytes, MAX_SCALED_PIXELS].map(String));
  const { ended, exitCode, stdout } = await run(argv, {
    ...(program.cwd === undefined ? {} : { cwd: program.cwd }),
    stdin: image,
    maxBytes: Math.max(bytes + 1, MAX_STDERR),
    timeoutMs,
    signal,
  });
  signal.throwIfAborted();
  const size = ended === "exit" && exitCode === 0 && stdout.length <= bytes ? parseWebp(stdout) : null;
  return size && { data: stdout, mimeType: "image/webp", width: size.width, height: size.height };
}
