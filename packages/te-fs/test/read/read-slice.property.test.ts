import { writeFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countLines, readBytes, readSlice } from "../../src/index.js";
import { freshDir } from "../../../te-path/test/tree.js";
import { eagerIndex, filesIn, wide } from "../files.js";

// Bytes in which newlines, halves of characters and marks are frequent.
const byte = fc.oneof(
  fc.constantFrom(0x0a, 0x0d, 0x41, 0xc3, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xef, 0xbb, 0xbf, 0xff),
  fc.nat(255),
);
const bytes = fc.array(byte, { maxLength: 400 }).map((all) => Buffer.from(all));
// Without NUL, and without a UTF-16 mark, which has its own test below.
const noNul = bytes.map((all) =>
  Buffer.from(all.map((each, at) => (each === 0 || (at === 0 && each >= 0xfe) ? 1 : each))),
);
// Files around the sizes at which pieces end, so that characters and lines fall across them.
const large = fc
  .tuple(noNul, fc.constantFrom(65_536, 131_072, 1_048_576), fc.nat(8), noNul)
  .map(([head, size, less, tail]) => {
    const filler = Buffer.alloc(Math.max(0, size - head.length - less), "€\nab", "utf8");
    return Buffer.concat([head, filler, tail]);
  });

const decodedLines = (content: string): string[] => content.match(/[^\n]*\n|[^\n]+$/g) ?? [];
// Decodes without TextDecoder, because some versions of Node take windows-1252 for Latin-1.
const UPPER = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
const western = (content: Buffer): string =>
  Array.from(content, (byte) => (byte >= 0x80 && byte < 0xa0 ? UPPER[byte - 0x80] : String.fromCharCode(byte))).join(
    "",
  );
/** Decodes a whole file at once, in the encoding named by its slices. */
const decode = (content: Buffer, encoding: string): string =>
  encoding === "windows-1252" ? western(content) : new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);

async function slicesOf(
  path: string,
  options: { maxLines: number; keepWholeUpTo: number; warm: boolean; maxBytes: number },
) {
  const files = filesIn(path.slice(0, path.lastIndexOf("/")));
  await using file = await files.open(path);
  const lineIndex = options.warm ? eagerIndex().cache : undefined;
  let content = "";
  let totals = 0;
  const encodings = new Set<string>();
  for (let offsetLines: number | null = 0; offsetLines !== null;) {
    const slice = await readSlice(file, { ...wide, ...options, offsetLines, lineIndex });
    content += slice.content;
    totals = slice.totalLines;
    encodings.add(slice.encoding);
    offsetLines = slice.nextOffsetLines;
  }
  files.close();
  expect(encodings.size).toBe(1);
  return { content, totals, encoding: [...encodings].join() };
}

for (const [name, contents, numRuns] of [
  ["small files", noNul, 300],
  ["files across piece and chunk borders", large, 40],
] as const) {
  test(`slices in a row make up the text that a decoder gives of all bytes: ${name}`, async () => {
    const path = `${freshDir()}/f`;
    const run = fc.asyncProperty(
      contents,
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 2 }),
      async (content, few, warm, keep) => {
        writeFileSync(path, content);
        const maxLines = content.length > 1000 ? few * 30_000 : few;
        const got = await slicesOf(path, { maxLines, keepWholeUpTo: keep * 10_000_000, warm, maxBytes: 100_000_000 });
        const text = decode(content, got.encoding);
        expect(got.content === text).toBe(true);
        expect(got.totals).toBe(decodedLines(text).length);
      },
    );
    await fc.assert(run, { numRuns });
  });
}

test("any slice is those lines of the text, whatever the offset, the tail and the index", async () => {
  const path = `${freshDir()}/f`;
  const files = filesIn(path.slice(0, -2));
  const run = fc.asyncProperty(
    fc.oneof({ weight: 9, arbitrary: noNul }, { weight: 1, arbitrary: large }),
    fc.nat(500),
    fc.integer({ min: 1, max: 40 }),
    fc.boolean(),
    async (content, where, maxLines, tail) => {
      writeFileSync(path, content);
      const offsetLines = content.length > 1000 ? where * 41 : where % 50;
      await using file = await files.open(path);
      const slice = await readSlice(file, { ...wide, maxLines, ...(tail ? { tailLines: maxLines } : { offsetLines }) });
      const lines = decodedLines(decode(content, slice.encoding));
      const from = tail ? Math.max(0, lines.length - maxLines) : offsetLines;
      const expected = lines.slice(from, from + maxLines);
      expect(slice).toMatchObject({
        content: expected.join(""),
        totalLines: lines.length,
        returnedLines: expected.length,
        firstLine: from + 1,
        nextOffsetLines: from + expected.length < lines.length ? from + expected.length : null,
      });
      expect(await countLines(file)).toBe(lines.length);
    },
  );
  await fc.assert(run, { numRuns: 200 });
});

// Puts a letter beyond ASCII into the first line, the last line, and the border between two chunks.
test.for([0, 1_048_575, 1_048_576, 2_500_000])(
  "a file in windows-1252 with its only letter at byte %i is read in its encoding from every line",
  async (place) => {
    const content = Buffer.alloc(2_500_001, "a line of text\n");
    content[place] = 0xe9;
    const path = `${freshDir()}/f`;
    writeFileSync(path, content);
    for (const warm of [false, true]) {
      const got = await slicesOf(path, { maxLines: 40_000, keepWholeUpTo: 0, warm, maxBytes: 100_000_000 });
      expect(got.content === western(content)).toBe(true);
      expect([got.encoding, got.totals]).toEqual(["windows-1252", decodedLines(western(content)).length]);
    }
  },
);

test("with a budget, too, slices in a row make up the text, as long as no line is cut", async () => {
  const path = `${freshDir()}/f`;
  const run = fc.asyncProperty(noNul, fc.integer({ min: 1300, max: 3000 }), async (content, maxBytes) => {
    writeFileSync(path, content);
    const got = await slicesOf(path, { maxLines: 50, keepWholeUpTo: 0, warm: true, maxBytes });
    expect(got.content).toBe(decode(content, got.encoding));
  });
  await fc.assert(run, { numRuns: 100 });
});

test("a cut line is its first characters, a count of the others and its own terminator", async () => {
  const path = `${freshDir()}/f`;
  const files = filesIn(path.slice(0, -2));
  const run = fc.asyncProperty(noNul, fc.integer({ min: 1, max: 30 }), async (content, maxLineChars) => {
    writeFileSync(path, content);
    await using file = await files.open(path);
    const slice = await readSlice(file, { ...wide, maxLineChars });
    const expected = decodedLines(decode(content, slice.encoding)).map((line) => {
      const [, body = "", terminator = ""] = /^([^]*?)(\r?\n)?$/.exec(line) ?? [];
      if (body.length <= maxLineChars) return line;
      const whole = body.slice(0, maxLineChars);
      const head = /[\ud800-\udbff]$/.test(whole) ? whole.slice(0, -1) : whole;
      return `${head}…[+${body.length - head.length} chars]${terminator}`;
    });
    expect(slice.content).toBe(expected.join(""));
  });
  await fc.assert(run, { numRuns: 300 });
});

test("random UTF-16 is decoded as a decoder decodes all of it", async () => {
  const path = `${freshDir()}/f`;
  const unit = fc.oneof(fc.constantFrom(0x000a, 0x0a00, 0x0a0a, 0xd83d, 0xde00, 0x000d), fc.nat(0xffff));
  const run = fc.asyncProperty(
    fc.array(unit, { maxLength: 200 }),
    fc.boolean(),
    fc.boolean(),
    async (units, odd, big) => {
      const little = Buffer.from(Uint16Array.from([0xfeff, ...units]).buffer);
      const text = new TextDecoder("utf-16le").decode(odd ? Buffer.concat([little, Buffer.from("A")]) : little);
      const stored = big ? Buffer.from(little).swap16() : little;
      writeFileSync(path, odd ? Buffer.concat([stored, Buffer.from("A")]) : stored);
      const got = await slicesOf(path, { maxLines: 2, keepWholeUpTo: 0, warm: false, maxBytes: 100_000 });
      expect(got).toMatchObject({ content: text, totals: decodedLines(text).length });
    },
  );
  await fc.assert(run, { numRuns: 200 });
});

test("readBytes gives the bytes from any offset, as many as there are", async () => {
  const path = `${freshDir()}/f`;
  const files = filesIn(path.slice(0, -2));
  const run = fc.asyncProperty(bytes, fc.nat(500), fc.nat(500), async (content, offset, length) => {
    writeFileSync(path, content);
    await using file = await files.open(path);
    expect(await readBytes(file, { offset, length })).toEqual(content.subarray(offset, offset + length));
  });
  await fc.assert(run, { numRuns: 100 });
});
