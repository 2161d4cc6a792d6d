import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { imageFormat } from "../../src/index.js";
import { gif, jpeg, png, webp } from "../compose-image.js";

const parse = (bytes: Buffer) => imageFormat(bytes)?.parse(bytes);
const side = (most: number) => fc.integer({ min: 1, max: most });

const KINDS = [
  ["a PNG", "image/png", 2 ** 31 - 1, png],
  ["a JPEG", "image/jpeg", 65_535, jpeg],
  ["a progressive JPEG", "image/jpeg", 65_535, (w: number, h: number) => jpeg(w, h, { frame: 0xc2 })],
  ["a GIF of 1989", "image/gif", 65_535, gif],
  ["a GIF of 1987", "image/gif", 65_535, (w: number, h: number) => gif(w, h, "87a")],
  ["a lossy WebP", "image/webp", 16_383, webp],
  ["a lossless WebP", "image/webp", 16_384, (w: number, h: number) => webp(w, h, "lossless")],
  ["an extended WebP", "image/webp", 2 ** 24, (w: number, h: number) => webp(w, h, "extended")],
] as const;

describe.for(KINDS)("%s", ([, mimeType, most, compose]) => {
  // Larger sizes are only claimed, because the data of a PNG grows with its size.
  const small = fc.tuple(side(Math.min(most, 300)), side(Math.min(most, 300)));
  const large = fc.tuple(side(most), side(most)).filter(([width, height]) => width * height > 1e8 || most < 1e8);

  test("is known by its first bytes, and tells its size", () => {
    fc.assert(
      fc.property(fc.oneof(small, large), ([width, height]) => {
        const bytes = compose(width, height);
        expect(imageFormat(bytes)?.mimeType).toBe(mimeType);
        expect(parse(bytes)).toEqual({ width, height, complete: true });
      }),
      { numRuns: 50 },
    );
  });

  test("that is cut off anywhere is not complete, and never a fault", () => {
    const bytes = compose(30, 20);
    // Bytes behind the image data, such as an end mark, may be missing.
    const needed = mimeType === "image/gif" ? bytes.length - 1 : bytes.length;
    for (let length = 0; length < needed; length++) {
      const header = parse(bytes.subarray(0, length));
      expect([length, header?.complete ?? false]).toEqual([length, false]);
    }
  });

  test("whose bytes were changed is read without a fault, and never claims a side of 0", () => {
    const whole = compose(30, 20);
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        const header = parse(bytes);
        if (header !== null && header !== undefined) expect(Math.min(header.width, header.height)).toBeGreaterThan(0);
      }),
    );
  });
});

test("noise behind any of the magics is read without a fault", () => {
  const magics = KINDS.map(([, , , compose]) => compose(1, 1).subarray(0, 12));
  fc.assert(
    fc.property(fc.constantFrom(...magics), fc.uint8Array({ maxLength: 300 }), (magic, noise) => {
      parse(Buffer.concat([magic, noise]));
    }),
    { numRuns: 500 },
  );
});

test.for([
  ["a PNG", png(0, 20), png(30, 0)],
  ["a PNG of a size that may not be", png(2 ** 31, 20), png(30, 2 ** 31)],
  ["a JPEG", jpeg(0, 20), jpeg(30, 0)],
  ["a GIF", gif(0, 20), gif(30, 0)],
  ["a WebP", webp(0, 20), webp(30, 0)],
] as const)("%s without width or height is none", ([, narrow, flat]) => {
  expect([parse(narrow), parse(flat)]).toEqual([null, null]);
});

test("a PNG that does not begin with its header is none", () => {
  const bytes = png(30, 20);
  bytes.write("IDHR", 12);
  expect(parse(bytes)).toBe(null);
});

test("a PNG whose checksum is wrong is not complete", () => {
  const bytes = png(30, 20);
  const data = bytes.indexOf("IDAT") + 6;
  bytes[data] = (bytes[data] ?? 0) ^ 1;
  expect(parse(bytes)).toEqual({ width: 30, height: 20, complete: false });
});

test("a PNG without data, whatever else it has, is not complete", () => {
  const bytes = png(30, 20);
  const from = bytes.indexOf("IDAT") - 4;
  const until = bytes.indexOf("IEND") - 4;
  const without = Buffer.concat([bytes.subarray(0, from), bytes.subarray(until)]);
  expect(parse(without)).toEqual({ width: 30, height: 20, complete: false });
});

describe("a JPEG", () => {
  const thumbnail = jpeg(8, 8);

  test("is not mistaken for the thumbnail in it", () => {
    expect(parse(jpeg(640, 480, { before: [[0xe1, thumbnail]] }))).toEqual({ width: 640, height: 480, complete: true });
  });

  test("is not complete because its thumbnail is", () => {
    const whole = jpeg(640, 480, { before: [[0xe1, thumbnail]] });
    expect(parse(whole.subarray(0, -2))).toMatchObject({ complete: false });
  });

  test("may have a megabyte of notes before its size, tables, and bytes that only fill", () => {
    const profile = Array.from({ length: 20 }, () => [0xe2, Buffer.alloc(60_000)] as const);
    const bytes = jpeg(640, 480, { before: [...profile, [0xc4, Buffer.alloc(20)]] });
    const filled = Buffer.concat([bytes.subarray(0, 2), Buffer.alloc(50, 0xff), bytes.subarray(2)]);
    expect(parse(filled)).toEqual({ width: 640, height: 480, complete: true });
  });

  test("of segments that say they are shorter than their own length is none", () => {
    const bytes = jpeg(640, 480);
    bytes.writeUInt16BE(1, 4);
    expect(parse(bytes)).toBe(null);
  });
});

test.for(["", "GIF88a", "RIFF1234WAVE", "\x89PNG\n", "\xff\xd8", "BM", "<svg/>"])("%j is none of them", (text) => {
  expect(imageFormat(Buffer.from(text, "latin1"))).toBe(undefined);
});
