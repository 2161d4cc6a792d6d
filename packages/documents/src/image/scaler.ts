import { run } from "@llmc/te-run";
import { limited, nodeProgram, type ReaderProgram } from "../program/reader-program.js";
import { parseWebp } from "./webp.js";

/** Images of the largest cameras. */
export const MAX_SCALED_BYTES = 256 * 1024 * 1024;
const MAX_SCALED_PIXELS = 500_000_000;

/** Scales pictures down. The one implementation is sharp, in a process of its own. */
export interface Scaler {
  readonly version: string;
  /** Null where the bytes cannot be decoded, or no size makes them small enough in time. */
  scale(image: AsyncIterable<Buffer>, options: ScaleOptions): Promise<ScaledImage | null>;
}

export interface ScaleOptions {
  /** Pixels of the longer side, and bytes, at most. */
  readonly edge: number;
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

/** Tries smaller sides until the bytes fit. Plain JavaScript, because it runs in a process of its own. */
const SCRIPT = `
import sharp from "sharp";
const [edge, most, pixels] = process.argv.slice(-3).map(Number);
sharp.cache(false);
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const image = Buffer.concat(chunks);
for (const side of [1, 0.7, 0.4].map((part) => Math.round(edge * part))) {
  const data = await sharp(image, { limitInputPixels: pixels, sequentialRead: true })
    // Upright as the camera noted: the note itself is lost.
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

/** The npm package sharp, if it is installed. */
export function imageScaler(): Scaler | null {
  const program = nodeProgram("sharp", SCRIPT);
  return program && { version: program.name, scale: (image, options) => scaledBy(program, image, options) };
}

/** Null where the picture cannot be decoded, or not in time and memory, or no side makes it small enough. */
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
