import fc from "fast-check";
import { expect, test } from "vitest";
import { replaceBlocks } from "../../src/block/replace-blocks.js";

const letters = fc.string({ unit: fc.constantFrom("a", "b", " ", "\t", "\n", "\r\n", "é", "🙂"), maxLength: 60 });
const block = letters.filter((text) => text !== "");

test("property: an exact replacement is what split and join give", async () => {
  await fc.assert(
    fc.asyncProperty(letters, block, letters, async (content, oldText, newText) => {
      const count = content.split(oldText).length - 1;
      // Skips edits whose new lines get the file's line ends: inside a line, and from within a CRLF.
      fc.pre(count > 0 && oldText !== newText && (oldText.includes("\n") || !newText.includes("\n")));
      fc.pre(!oldText.startsWith("\n") || !content.includes("\r\n"));
      const done = await replaceBlocks(content, [{ oldText, newText, expected: count }]);
      expect(done.content.toString()).toBe(content.split(oldText).join(newText));
      expect(done.replacementsMade).toBe(count);
      const lines = done.content.toString().split("\n");
      for (const line of done.edits[0]?.lines ?? []) expect(lines[line - 1]).toBeDefined();
    }),
  );
});

test("property: one block that occurs once is answered alike in UTF-8, where it is found without a string, and in UTF-16", async () => {
  await fc.assert(
    fc.asyncProperty(letters, block, letters, async (content, oldText, newText) => {
      fc.pre(content.split(oldText).length === 2 && oldText !== newText);
      const { content: narrow, ...told } = await replaceBlocks(content, [{ oldText, newText }]);
      const file = Buffer.from(`\ufeff${content}`, "utf16le");
      const { content: wide, ...same } = await replaceBlocks(file, [{ oldText, newText }]);
      expect(wide.toString("utf16le")).toBe(`\ufeff${narrow.toString()}`);
      expect(same).toEqual({ ...told, encoding: "utf-16le" });
    }),
    { numRuns: 300 },
  );
});

test("property: of any bytes, those beside what is replaced stay", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 40 }), async (before, behind) => {
      const [head, tail] = [Buffer.from(before), Buffer.from(behind)];
      fc.pre(!(head[0] === 0xff && head[1] === 0xfe) && !(head[0] === 0xfe && head[1] === 0xff));
      const content = Buffer.concat([head, Buffer.from("<the block>"), tail]);
      const done = await replaceBlocks(content, [{ oldText: "<the block>", newText: "x" }]);
      expect(done.content).toEqual(Buffer.concat([head, Buffer.from("x"), tail]));
    }),
  );
});

test("property: another count than expected changes nothing, and says the true one", async () => {
  // Uses no whitespace, because differences in whitespace may be forgiven.
  const ink = fc.string({ unit: fc.constantFrom("a", "b", "é", "🙂"), minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(ink, ink, fc.integer({ min: 1, max: 5 }), async (content, oldText, expected) => {
      const count = content.split(oldText).length - 1;
      fc.pre(count !== expected);
      const bytes = Buffer.from(content);
      const edits = [{ oldText, newText: `${oldText}x`, expected }];
      await expect(replaceBlocks(bytes, edits)).rejects.toMatchObject({
        code: "PATCH_COUNT_MISMATCH",
        details: { found: count, expected },
      });
      expect(bytes.toString()).toBe(content);
    }),
  );
});

test("property: several edits are what one after the other gives, or nothing", async () => {
  const edit = fc.record({ oldText: block, newText: letters }).filter((one) => one.oldText !== one.newText);
  await fc.assert(
    fc.asyncProperty(letters, fc.array(edit, { minLength: 1, maxLength: 4 }), async (content, edits) => {
      let single: string | undefined = content;
      for (const one of edits) {
        single = await replaceBlocks(single, [one]).then(
          (done) => done.content.toString(),
          () => undefined,
        );
        if (single === undefined) break;
      }
      const together = await replaceBlocks(content, edits).then(
        (done) => done.content.toString(),
        () => undefined,
      );
      expect(together).toBe(single);
    }),
  );
});

// Lines with ink that is different in each, so that a block fits one place only.
const inked = fc
  .array(fc.nat(2), { minLength: 1, maxLength: 12 })
  .map((kinds) => kinds.map((kind, n) => (kind === 0 ? `f${n}(x) {` : kind === 1 ? `y = ${n};` : `} // ${n}`)));
const blanks = fc.string({ unit: fc.constantFrom(" ", "\t"), maxLength: 4 });
const damage = fc.array(fc.record({ lead: blanks, trail: blanks, cr: fc.boolean() }), { minLength: 12, maxLength: 12 });

const damaged = (lines: readonly string[], by: readonly { lead: string; trail: string; cr: boolean }[]): string =>
  lines.map((line, n) => `${by[n]?.lead}${line}${by[n]?.trail}${by[n]?.cr ? "\r" : ""}\n`).join("");

test("property: normalize finds a block whatever its whitespace is, in a file whatever its whitespace is", async () => {
  await fc.assert(
    fc.asyncProperty(inked, damage, damage, fc.nat(), fc.nat(), async (lines, there, own, at, length) => {
      const from = at % lines.length;
      const to = from + 1 + (length % (lines.length - from));
      const oldText = damaged(lines.slice(from, to), own);
      const before = damaged(lines.slice(0, from), there);
      const behind = damaged(lines.slice(to), there.slice(to));
      const content = damaged(lines, there);
      const done = await replaceBlocks(content, [{ oldText, newText: "here\n" }], { normalize: true });
      const text = done.content.toString();
      const ink = (all: string): string => all.replaceAll(/\s/g, "");
      expect(ink(text)).toBe(ink(`${before}here${behind}`));
      // A block that fits to the letter begins behind the file's own indentation, or takes it with it.
      expect(text.startsWith(before) && text.endsWith(behind)).toBe(true);
    }),
  );
});

test("property: with normalize a block that only adds a line leaves every other byte as it is", async () => {
  await fc.assert(
    fc.asyncProperty(inked, damage, damage, async (lines, there, own) => {
      const content = damaged(lines, there);
      const oldText = damaged(lines, own);
      fc.pre(!content.includes(oldText));
      const done = await replaceBlocks(content, [{ oldText, newText: `${oldText}added\n` }], { normalize: true });
      const text = done.content.toString();
      const whole = own[0]?.lead !== "" || there[0]?.lead === "";
      expect(text.startsWith(content)).toBe(true);
      expect(text.slice(content.length).trim()).toBe("added");
      expect(whole || text.startsWith(there[0]?.lead ?? "")).toBe(true);
    }),
  );
});

test("property: whatever the text and the edit are, there is an answer of ours", async () => {
  const any = fc.string({ unit: "binary", maxLength: 30 });
  const bytes = fc.uint8Array({ maxLength: 60 }).map((all) => Buffer.from(all));
  const content = fc.oneof(bytes, any, letters);
  const options = fc.record({
    trailingWhitespace: fc.boolean(),
    lineEndings: fc.boolean(),
    indentation: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(content, fc.oneof(any, block), any, options, async (content, oldText, newText, normalize) => {
      const code = await replaceBlocks(content, [{ oldText, newText }], { normalize }).then(
        () => "done",
        (thrown: unknown) => (thrown as { code?: string }).code,
      );
      expect(["done", "PATCH_COUNT_MISMATCH", "INVALID_ARGUMENT"]).toContain(code);
    }),
    { numRuns: 500 },
  );
});
