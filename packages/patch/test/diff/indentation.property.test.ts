import * as fc from "fast-check";
import { expect, test } from "vitest";
import { patch } from "./memory.js";

interface Line {
  readonly depth: number;
  readonly fate: "stays" | "goes" | "new";
}

const line: fc.Arbitrary<Line> = fc.record({
  depth: fc.nat(4),
  fate: fc.constantFrom("stays", "stays", "goes", "new"),
});

test("a diff that shows tabs as spaces, or one width of spaces as another, gives the file that was meant", async () => {
  const run = fc.asyncProperty(
    fc.array(line, { minLength: 2, maxLength: 20 }),
    fc.constantFrom("\t", "  ", "    "),
    fc.constantFrom("\t", "  ", "    ", "        "),
    async (lines, there, own) => {
      const texts = (indent: string) => lines.map(({ depth }, nth) => `${indent.repeat(depth)}step${nth}(${nth * 7});`);
      const of = (all: readonly string[], left: Line["fate"]) =>
        Buffer.from(all.flatMap((text, nth) => (lines[nth]?.fate === left ? [] : [`${text}\n`])).join(""));
      const old = lines.filter(({ fate }) => fate !== "new");
      // Two depths tell how wide a step is, or a tab against spaces does.
      const depths = new Set(old.map(({ depth }) => depth));
      const isTold = (there === "\t") !== (own === "\t") ? depths.size > 1 || !depths.has(0) : depths.size > 1;
      fc.pre(isTold && old.length < lines.length && old.some(({ fate }) => fate === "stays"));
      const sign = { stays: " ", goes: "-", new: "+" };
      const hunk = texts(own).map((text, nth) => `${sign[lines[nth]?.fate ?? "stays"]}${text}\n`);
      const before = new Map([["f", of(texts(there), "new")]]);
      const { files } = await patch(before, `--- a/f\n+++ b/f\n@@\n${hunk.join("")}`);
      expect(files.get("f")?.toString()).toBe(of(texts(there), "goes").toString());
    },
  );
  await fc.assert(run, { numRuns: 300 });
});
