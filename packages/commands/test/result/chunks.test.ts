import { estimateTokens } from "@llmc/toolkit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { chunksOf } from "../../src/index.js";

const text = fc
  .tuple(fc.array(fc.constantFrom("word ", "語", "é", "\n", "0x9f,", "a".repeat(500)), { minLength: 1 }), fc.nat(4000))
  .map(([parts, times]) => Buffer.from(parts.join("").repeat(times)).subarray(0, 200_000));

test("chunks put together are the payload, and none is above 4,000 tokens", () => {
  fc.assert(
    fc.property(text, (payload) => {
      const chunks = [...chunksOf(payload)];
      expect(Buffer.concat(chunks).equals(payload)).toBe(true);
      expect(chunks.filter((chunk) => chunk.length === 0 || estimateTokens(chunk.toString()) > 4000)).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

test("a chunk ends behind a line, and never within a character", () => {
  const lines = Buffer.from("語 and some words\n".repeat(5000));
  for (const chunk of chunksOf(lines)) expect(chunk.at(-1)).toBe(0x0a);
  for (const chunk of chunksOf(Buffer.from("語".repeat(50_000)))) expect(chunk.toString()).not.toContain("\ufffd");
});
