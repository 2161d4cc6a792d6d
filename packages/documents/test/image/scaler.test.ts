import sharp from "sharp";
import { expect, test } from "vitest";
import { imageFormat, imageScaler, type ScaledImage, type ScaleOptions } from "../../src/index.js";
import { png } from "../compose-image.js";

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
}

async function scaled(bytes: Buffer, more: Partial<ScaleOptions> = {}): Promise<ScaledImage | null> {
  const scaler = imageScaler();
  if (scaler === null) throw new Error("sharp is not installed");
  const signal = new AbortController().signal;
  return await scaler.scale(pieces(bytes), { edge: 1568, bytes: 700 * 1024, timeoutMs: 60_000, signal, ...more });
}

/** Returns random pixels, which compress as badly as a photo. */
async function photo(width: number, height: number, orientation = 1): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  return await sharp({ create: { width, height, channels: 3, background: "white", noise } })
    .withMetadata({ orientation })
    .jpeg({ quality: 90 })
    .toBuffer();
}

test("a photo of 24 megapixels becomes a WebP that fits", { timeout: 120_000 }, async () => {
  const image = await scaled(await photo(6000, 4000));
  expect(image).toMatchObject({ mimeType: "image/webp", width: 1568, height: 1045 });
  const data = image?.data ?? Buffer.alloc(0);
  expect(data.length).toBeLessThanOrEqual(700 * 1024);
  expect(imageFormat(data)?.parse(data)).toEqual({ width: 1568, height: 1045, complete: true });
});

test("it is put upright as the camera noted", async () => {
  expect(await scaled(await photo(300, 200, 6), { edge: 150 })).toMatchObject({ width: 100, height: 150 });
});

test("where the bytes are still too many it is made smaller, twice at most", async () => {
  const bytes = await photo(1000, 500);
  const whole = await scaled(bytes, { edge: 1000 });
  const least = whole?.data.length ?? 0;
  expect(await scaled(bytes, { edge: 1000, bytes: least - 1 })).toMatchObject({ width: 700, height: 350 });
  expect(await scaled(bytes, { edge: 1000, bytes: 100 })).toBe(null);
});

test("what cannot be decoded is not scaled; nor is what claims more pixels than there are memory and time for", async () => {
  expect(await scaled(Buffer.from("\x89PNG\r\n\x1a\n is no picture", "latin1"))).toBe(null);
  expect(await scaled(png(60_000, 60_000))).toBe(null);
});

test("at its deadline it ends without a picture, and with the call when that is cancelled", async () => {
  const bytes = await photo(2000, 2000);
  expect(await scaled(bytes, { timeoutMs: 1 })).toBe(null);
  await expect(scaled(bytes, { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
});
