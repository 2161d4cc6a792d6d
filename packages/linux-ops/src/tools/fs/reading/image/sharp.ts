import { MAX_SCALED_PIXELS } from "../../../../answer/image-limits.js";
import type { ScaledImage, Scaler } from "../../../../context/scaler.js";

/** As much of sharp as is used: it is nobody's dependency, so there are no types of it. */
interface Sharp {
  (input: Buffer, options: { limitInputPixels: number; sequentialRead: boolean }): Pipeline;
  readonly versions: { readonly vips: string };
}

interface Pipeline {
  rotate(): Pipeline;
  resize(options: { width: number; height: number; fit: "inside"; withoutEnlargement: boolean }): Pipeline;
  webp(options: { quality: number }): Pipeline;
  timeout(options: { seconds: number }): Pipeline;
  toBuffer(options: { resolveWithObject: true }): Promise<{ data: Buffer; info: { width: number; height: number } }>;
}

/** Half of what a reading call has by default, so that the answer can still be made. */
const SECONDS = 5;
const QUALITY = 80;

/** Not in the import itself: no bundler and no compiler is to look for what an operator may install. */
const PACKAGE: string = "sharp";

export async function loadSharp(): Promise<Scaler | null> {
  try {
    // oxlint-disable-next-line import/no-dynamic-require
    const { default: sharp } = (await import(PACKAGE)) as { readonly default: Sharp };
    return scalerOf(sharp);
  } catch {
    // Not installed, or its binary does not load here.
    return null;
  }
}

export function scalerOf(sharp: Sharp): Scaler {
  return {
    version: `libvips ${sharp.versions.vips}`,
    async scale(bytes, { edge, bytes: most }) {
      for (const side of [edge, edge * 0.7, edge * 0.4].map(Math.round)) {
        const scaled = await scaledTo(sharp, bytes, side);
        if (scaled === null || scaled.data.length <= most) return scaled;
      }
      return null;
    },
  };
}

async function scaledTo(sharp: Sharp, bytes: Buffer, side: number): Promise<ScaledImage | null> {
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: MAX_SCALED_PIXELS, sequentialRead: true })
      // Upright as the camera noted: the note itself is lost.
      .rotate()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .timeout({ seconds: SECONDS })
      .toBuffer({ resolveWithObject: true });
    return { data, mimeType: "image/webp", width: info.width, height: info.height };
  } catch {
    // What it cannot decode, or not in time, is not scaled; the caller is told what the file is.
    return null;
  }
}
