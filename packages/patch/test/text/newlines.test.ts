import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CHUNK, plainScratch, wideScratch, type Scratch } from "../../src/text/newlines.js";

const counters: readonly [string, Scratch | undefined][] = [
  ["sixteen bytes at once", wideScratch()],
  ["byte by byte", plainScratch()],
];

for (const [name, scratch] of counters) {
  test(`newlines are counted exactly, from and to any byte: ${name}`, ({ skip }) => {
    if (scratch === undefined) return skip("this processor has no such instructions");
    const { bytes } = scratch;
    const place = fc.nat(CHUNK - 300);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), place, fc.nat(300), fc.nat(300), (content, at, from, length) => {
        const data = content.map((byte) => (byte % 3 === 0 ? 10 : byte));
        bytes.set(data, at);
        const start = Math.min(from, data.length);
        const end = Math.min(start + length, data.length);
        expect(scratch.count(at + start, at + end)).toBe(
          data.subarray(start, end).filter((byte) => byte === 10).length,
        );
      }),
    );
    bytes.fill(10);
    expect(scratch.count(0, CHUNK)).toBe(CHUNK);
  });
}
