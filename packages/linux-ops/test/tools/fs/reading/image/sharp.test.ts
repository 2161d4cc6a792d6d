import { expect, test } from "vitest";
import { imageFormat } from "../../../../../src/tools/fs/reading/image/format.js";
import { loadSharp, scalerOf } from "../../../../../src/tools/fs/reading/image/sharp.js";
import { png } from "../compose-image.js";

type Sharp = Parameters<typeof scalerOf>[0];

/** Answers so many bytes for each pixel of the side asked for, and notes what it was asked. */
function fakeSharp(bytesPerPixel: number): { readonly sharp: Sharp; readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const make = (input: Buffer, options: object) => {
    const work: unknown[] = [options];
    asked.push(work);
    if (input.length === 0) throw new Error("Input buffer is empty");
    const pipeline = {
      rotate: () => (work.push("rotate"), pipeline),
      resize: (size: object) => (work.push(size), pipeline),
      webp: (quality: object) => (work.push(quality), pipeline),
      timeout: (time: object) => (work.push(time), pipeline),
      toBuffer: async () => {
        const { width } = work[2] as { width: number };
        return { data: Buffer.alloc(width * bytesPerPixel), info: { width, height: width / 2 } };
      },
    };
    return pipeline;
  };
  return { sharp: Object.assign(make, { versions: { vips: "8.1" } }) as Sharp, asked };
}

test("the picture is put upright, made to fit the side and bounded in pixels and time", async () => {
  const { sharp, asked } = fakeSharp(10);
  const scaler = scalerOf(sharp);
  expect(scaler.version).toBe("libvips 8.1");
  expect(await scaler.scale(Buffer.of(1), { edge: 1000, bytes: 10_000 })).toEqual({
    data: Buffer.alloc(10_000),
    mimeType: "image/webp",
    width: 1000,
    height: 500,
  });
  expect(asked).toEqual([
    [
      { limitInputPixels: 50_000_000, sequentialRead: true },
      "rotate",
      { width: 1000, height: 1000, fit: "inside", withoutEnlargement: true },
      { quality: 80 },
      { seconds: 5 },
    ],
  ]);
});

test("where the bytes are still too many it is made smaller, twice at most", async () => {
  const { sharp, asked } = fakeSharp(10);
  const sides = () => asked.splice(0).map((work) => (work as { width: number }[])[2]?.width);
  expect(await scalerOf(sharp).scale(Buffer.of(1), { edge: 1000, bytes: 9_999 })).toMatchObject({ width: 700 });
  expect(sides()).toEqual([1000, 700]);
  expect(await scalerOf(sharp).scale(Buffer.of(1), { edge: 1000, bytes: 3_999 })).toBe(null);
  expect(sides()).toEqual([1000, 700, 400]);
});

test("what cannot be decoded is not scaled, and not tried again", async () => {
  const { sharp, asked } = fakeSharp(10);
  expect(await scalerOf(sharp).scale(Buffer.alloc(0), { edge: 1000, bytes: 10 })).toBe(null);
  expect(asked).toHaveLength(1);
});

test("the real sharp, where it is installed, makes a WebP that fits", async ({ skip }) => {
  const scaler = await loadSharp();
  skip(scaler === null, "sharp is not installed here");
  const scaled = await scaler?.scale(png(3000, 1500), { edge: 1568, bytes: 700 * 1024 });
  expect(scaled).toMatchObject({ mimeType: "image/webp", width: 1568, height: 784 });
  const data = scaled?.data ?? Buffer.alloc(0);
  expect(imageFormat(data)?.parse(data)).toEqual({ width: 1568, height: 784, complete: true });
});
