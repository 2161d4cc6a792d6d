import fc from "fast-check";
import { expect, test } from "vitest";
import { fitTokens } from "../../src/answer/budget.js";
import { estimateTokens } from "@llmc/toolkit";

const slices = fc
  .array(
    fc.string({ maxLength: 40 }).map((text) => `${text.replaceAll("\n", "")}\n`),
    { minLength: 1, maxLength: 30 },
  )
  .chain((lines) =>
    fc.record({
      content: fc.constant(lines.join("")),
      firstLine: fc.integer({ min: 1, max: 50 }),
      returnedLines: fc.constant(lines.length),
      nextOffsetLines: fc.constant(null),
      cutLines: fc.constant([]),
    }),
  );

test("what is left are whole lines at the right end, as many as the budget holds, with the true numbers", () => {
  fc.assert(
    fc.property(
      slices,
      fc.integer({ min: 1, max: 200 }),
      fc.constantFrom("first" as const, "last" as const),
      (slice, tokens, keep) => {
        const fitted = fitTokens(slice, tokens, keep);
        const lines = fitted.content.split(/(?<=\n)/);
        expect(lines.length).toBe(fitted.returnedLines);
        expect(
          keep === "first" ? slice.content.startsWith(fitted.content) : slice.content.endsWith(fitted.content),
        ).toBe(true);
        // Lines are weighed one by one, which rounds each up.
        expect(lines.length === 1 || estimateTokens(fitted.content) <= tokens + lines.length).toBe(true);
        const left = slice.returnedLines - fitted.returnedLines;
        expect(fitted.firstLine).toBe(keep === "last" ? slice.firstLine + left : slice.firstLine);
        if (keep === "first" && left > 0)
          expect(fitted.nextOffsetLines).toBe(slice.firstLine - 1 + fitted.returnedLines);
      },
    ),
  );
});
