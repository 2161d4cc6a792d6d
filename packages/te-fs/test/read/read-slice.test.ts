import { appendFileSync, openSync, ftruncateSync, closeSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { expect, test } from "vitest";
import { createLineIndexCache, readSlice } from "../../src/index.js";
import { codeOf, failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn, slice, wide } from "../files.js";

const of = (content: string | Buffer) => {
  const root = plant(freshDir(), { f: content });
  return { path: `${root}/f`, files: filesIn(root) };
};

test("a slice has its lines, their number, where it starts and where to read on", async () => {
  const { files, path } = of("one\ntwo\nthree\nfour\n");
  const { identity, readAt, ...rest } = await slice(files, path, { offsetLines: 1, maxLines: 2 });
  expect(rest).toEqual({
    content: "two\nthree\n",
    totalLines: 4,
    firstLine: 2,
    returnedLines: 2,
    nextOffsetLines: 3,
    cutLines: [],
    encoding: "utf-8",
    whole: null,
    changed: false,
  });
  await using file = await files.open(path);
  expect([identity, readAt <= Date.now()]).toEqual([file.identity, true]);
});

test.for([
  ["", 0],
  ["a", 1],
  ["a\n", 1],
  ["a\nb", 2],
  ["a\nb\n", 2],
  ["\n", 1],
  ["\n\n", 2],
  ["a\r\nb\r\n", 2],
  ["a\rb\rc", 1],
  ["a\u2028b\u2029c\u0085d\ve\ff", 1],
  ["\ufeff", 1],
] as const)("lines end at \\n only, and one that ends in it counts once: %j has %i", async ([content, totalLines]) => {
  const { files, path } = of(content);
  expect(await slice(files, path)).toMatchObject({
    content,
    totalLines,
    returnedLines: totalLines,
    nextOffsetLines: null,
  });
});

test("CRLF, a missing last newline and a UTF-8 mark stay as they are", async () => {
  const { files, path } = of("\ufeffone\r\ntwo\r\nthree");
  const [first, rest] = [await slice(files, path, { maxLines: 1 }), await slice(files, path, { offsetLines: 1 })];
  expect([first.content, rest.content]).toEqual(["\ufeffone\r\n", "two\r\nthree"]);
});

test("an offset behind the end gives nothing, and the total all the same", async () => {
  const { files, path } = of("one\ntwo\n");
  for (const offsetLines of [2, 3, 1_000_000]) {
    expect(await slice(files, path, { offsetLines })).toMatchObject({
      content: "",
      totalLines: 2,
      returnedLines: 0,
      nextOffsetLines: null,
    });
  }
});

test("tailLines gives the last lines, at most maxLines of them", async () => {
  const { files, path } = of("1\n2\n3\n4\n5");
  const facts = async (tailLines: number, maxLines: number) => {
    const { content, firstLine, returnedLines, nextOffsetLines } = await slice(files, path, { tailLines, maxLines });
    return { content, firstLine, returnedLines, nextOffsetLines };
  };
  expect([await facts(2, 10), await facts(100, 10), await facts(4, 1)]).toEqual([
    { content: "4\n5", firstLine: 4, returnedLines: 2, nextOffsetLines: null },
    { content: "1\n2\n3\n4\n5", firstLine: 1, returnedLines: 5, nextOffsetLines: null },
    { content: "5", firstLine: 5, returnedLines: 1, nextOffsetLines: null },
  ]);
});

test("where the budget does not hold a tail, its last lines are kept", async () => {
  const { files, path } = of("aaaa\nbbbb\ncccc\ndddd\n");
  expect(await slice(files, path, { tailLines: 4, maxBytes: 12 })).toMatchObject({
    content: "cccc\ndddd\n",
    firstLine: 3,
    returnedLines: 2,
    nextOffsetLines: null,
  });
});

test("the budget ends the content at the end of a line", async () => {
  const { files, path } = of("aaaa\nbbbb\ncccc\n");
  const facts = async (maxBytes: number) => {
    const { content, nextOffsetLines, cutLines } = await slice(files, path, { maxBytes });
    return [content, nextOffsetLines, cutLines.length];
  };
  expect([await facts(10), await facts(14), await facts(15), await facts(5)]).toEqual([
    ["aaaa\nbbbb\n", 2, 0],
    ["aaaa\nbbbb\n", 2, 0],
    ["aaaa\nbbbb\ncccc\n", null, 0],
    ["aaaa\n", 1, 0],
  ]);
});

test("the budget counts UTF-8 bytes, and cuts the first line where it alone is larger, never half a character", async () => {
  const { files, path } = of("äöü€😀\nnext\n");
  const facts = async (maxBytes: number) => (await slice(files, path, { maxBytes })).content;
  expect([await facts(1), await facts(3), await facts(8), await facts(12), await facts(14)]).toEqual([
    "…[+6 chars]\n",
    "ä…[+5 chars]\n",
    "äöü…[+3 chars]\n",
    "äöü€…[+2 chars]\n",
    "äöü€😀\n",
  ]);
});

test("a line above maxLineChars is cut before its terminator, with what is missing, and named", async () => {
  const { files, path } = of(`short\n${"x".repeat(30)}\r\n${"y".repeat(10)}\n${"z".repeat(11)}`);
  const { content, cutLines, totalLines } = await slice(files, path, { maxLineChars: 10 });
  expect({ content, cutLines, totalLines }).toEqual({
    content: `short\n${"x".repeat(10)}…[+20 chars]\r\n${"y".repeat(10)}\n${"z".repeat(10)}…[+1 chars]`,
    cutLines: [
      { line: 2, chars: 30 },
      { line: 4, chars: 11 },
    ],
    totalLines: 4,
  });
});

test("a cut never splits a character in two", async () => {
  const { files, path } = of("😀😀😀\n");
  expect((await slice(files, path, { maxLineChars: 3 })).content).toBe("😀…[+4 chars]\n");
});

test("a \\r at the end of the last line is part of it, one before \\n is not counted", async () => {
  const { files, path } = of(`${"a".repeat(10)}\r\n${"b".repeat(10)}\r`);
  expect(await slice(files, path, { maxLineChars: 10 })).toMatchObject({
    content: `${"a".repeat(10)}\r\n${"b".repeat(10)}…[+1 chars]`,
    cutLines: [{ line: 2, chars: 11 }],
  });
});

test("invalid bytes become U+FFFD", async () => {
  const bytes = Buffer.from([0x61, 0xff, 0x0a, 0xe2, 0x82, 0x0a, 0xc3]);
  const { files, path } = of(bytes);
  expect((await slice(files, path)).content).toBe("a\ufffd\n\ufffd\n\ufffd");
});

test("Western text in windows-1252 is decoded; a \\r, a cut and a tail are those of its characters", async () => {
  const { files, path } = of(Buffer.from("\x93d\xe9j\xe0\x94\r\n\xe9t\xe9 5 \x80\n", "latin1"));
  expect(await slice(files, path)).toMatchObject({
    content: "“déjà”\r\nété 5 €\n",
    totalLines: 2,
    encoding: "windows-1252",
  });
  expect((await slice(files, path, { maxLineChars: 3 })).content).toBe("“dé…[+3 chars]\r\nété…[+4 chars]\n");
  expect((await slice(files, path, { tailLines: 1 })).content).toBe("été 5 €\n");
});

test("UTF-16 with a mark is decoded, lines and all", async () => {
  const little = Buffer.from("\ufeffeins\nzw😀ei\r\ndrei", "utf16le");
  const big = Buffer.from(little).swap16();
  for (const [bytes, encoding] of [
    [little, "utf-16le"],
    [big, "utf-16be"],
  ] as const) {
    const { files, path } = of(bytes);
    expect(await slice(files, path, { offsetLines: 1, maxLines: 1 })).toMatchObject({
      content: "zw😀ei\r\n",
      totalLines: 3,
      encoding,
    });
    expect((await slice(files, path)).content).toBe("eins\nzw😀ei\r\ndrei");
    expect((await slice(files, path, { tailLines: 1 })).content).toBe("drei");
  }
});

test("in UTF-16 only U+000A ends a line, not its bytes in other characters, and half a pair is U+FFFD", async () => {
  const text = "\u0a00\u000a\u0a0a\u010a\n\ud800x";
  for (const swap of [false, true]) {
    const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
    const { files, path } = of(Buffer.concat([swap ? bytes.swap16() : bytes, Buffer.from([0x41])]));
    expect(await slice(files, path)).toMatchObject({
      content: "\u0a00\n\u0a0a\u010a\n\ufffdx\ufffd",
      totalLines: 3,
    });
  }
});

test("a NUL in the first 8 KB makes a file binary, and the error says what it is; a later one does not", async () => {
  const head = Buffer.alloc(8191, "a");
  const [early, late] = [Buffer.concat([head, Buffer.from("\0b")]), Buffer.concat([head, Buffer.from("b\0\n")])];
  const png = of(Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"));
  expect(await failure(slice(png.files, png.path))).toEqual({
    code: "UNSUPPORTED_CONTENT",
    message: `${png.path} is binary (PNG image, 16 bytes)`,
    remedy: { id: "look-by-command" },
  });
  const first = of(early);
  expect(await codeOf(slice(first.files, first.path))).toBe("UNSUPPORTED_CONTENT");
  const second = of(late);
  expect((await slice(second.files, second.path)).content).toBe(late.toString());
});

test("the whole file comes with the slice up to the size that was asked for", async () => {
  const bytes = Buffer.from("one\n\xff\ntwo\n", "latin1");
  const { files, path } = of(bytes);
  const whole = async (keepWholeUpTo: number) => (await slice(files, path, { maxLines: 1, keepWholeUpTo })).whole;
  expect([await whole(bytes.length), await whole(bytes.length - 1), await whole(0)]).toEqual([bytes, null, null]);
});

test("a file larger than a chunk is sliced exactly, at its chunk borders too", async () => {
  const lines = Array.from({ length: 60_000 }, (_, n) => `line ${n} ${"é".repeat(n % 40)}\n`);
  const content = lines.join("");
  expect(Buffer.byteLength(content)).toBeGreaterThan(3_000_000);
  const { files, path } = of(content);
  const lineIndex = createLineIndexCache({ maxFiles: 1 });
  for (const keepWholeUpTo of [0, 100_000_000]) {
    for (const offsetLines of [0, 1, 19_999, 20_000, 40_123, 59_999]) {
      const { content: got, totalLines } = await slice(files, path, {
        offsetLines,
        maxLines: 7,
        keepWholeUpTo,
        lineIndex,
      });
      expect([got, totalLines]).toEqual([lines.slice(offsetLines, offsetLines + 7).join(""), 60_000]);
    }
  }
});

test("one endless line is counted to its last character and never held", async () => {
  const root = freshDir();
  const path = `${root}/f`;
  const size = 200 * 1024 * 1024;
  const piece = Buffer.alloc(1024 * 1024, "0123456789abcdef");
  const fd = openSync(path, "w");
  for (let written = 0; written < size; written += piece.length) writeSync(fd, piece);
  writeSync(fd, "\nlast");
  closeSync(fd);
  const files = filesIn(root);
  const before = process.memoryUsage().external;
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().external)), 2);
  const { content, cutLines, totalLines, nextOffsetLines } = await slice(files, path, {
    maxLines: 1,
    maxLineChars: 10,
  });
  clearInterval(watch);
  expect({ content, cutLines, totalLines, nextOffsetLines }).toEqual({
    content: `0123456789…[+${size - 10} chars]\n`,
    cutLines: [{ line: 1, chars: size }],
    totalLines: 2,
    nextOffsetLines: 1,
  });
  expect(peak - before).toBeLessThan(16 * 1024 * 1024);
  expect((await slice(files, path, { tailLines: 1 })).content).toBe("last");
});

test("a sparse file with text at its start is text up to its end", async () => {
  const { files, path } = of("text\n".repeat(2000));
  truncateSync(path, 50_000_000);
  expect(await slice(files, path, { maxLines: 1 })).toMatchObject({ content: "text\n", totalLines: 2001 });
});

test("the event loop turns while a large file is read, and an abort ends the read", async () => {
  const root = freshDir();
  const fd = openSync(`${root}/f`, "w");
  writeSync(fd, "x\n".repeat(5000));
  ftruncateSync(fd, 400 * 1024 * 1024);
  closeSync(fd);
  await using file = await filesIn(root).open("f");
  let turns = 0;
  const count = (): void => {
    turns += 1;
    loop = setImmediate(count);
  };
  let loop = setImmediate(count);
  const abort = new AbortController();
  const reading = readSlice(file, { ...wide, signal: abort.signal });
  reading.catch(() => {});
  while (turns < 20) await new Promise((resolve) => setImmediate(resolve));
  abort.abort();
  expect(await codeOf(reading)).toBe("CANCELLED");
  clearImmediate(loop);
});

test("the reason of an abort is the error, if it is one of ours", async () => {
  const { files, path } = of("x\n");
  await using file = await files.open(path);
  const { TimeoutError } = await import("@llmc/errors");
  const signal = AbortSignal.abort(new TimeoutError("linux.fs_read", 10));
  expect(await codeOf(readSlice(file, { ...wide, signal }))).toBe("TIMEOUT");
  expect(await codeOf(files.open(path, { signal }))).toBe("TIMEOUT");
});

test("a file that grows while it is read gives the size it had, and says that it changed", async () => {
  const { files, path } = of("line\n".repeat(4_000_000));
  await using file = await files.open(path);
  const reading = readSlice(file, { ...wide, maxLines: 1 });
  // The read is under way: its first chunk is with the thread pool.
  appendFileSync(path, "more\n");
  expect(await reading).toMatchObject({ content: "line\n", totalLines: 4_000_000, changed: true });
});

test("a file that shrinks while it is read is no more than it has", async () => {
  const { files, path } = of("line\n".repeat(4_000_000));
  await using file = await files.open(path);
  const reading = readSlice(file, { ...wide, maxLines: 1 });
  truncateSync(path, 10);
  const { totalLines, changed } = await reading;
  expect([totalLines < 4_000_000, changed]).toEqual([true, true]);
});

test("a small file that changed while it was read is read again", async () => {
  const { files, path } = of("old\n".repeat(100_000));
  await using file = await files.open(path);
  const reading = readSlice(file, { ...wide, maxLines: 1, keepWholeUpTo: 10_000_000 });
  writeFileSync(path, "new\n");
  const { content, totalLines, whole, changed, identity } = await reading;
  expect([content, totalLines, String(whole), changed, identity.size]).toEqual(["new\n", 1, "new\n", false, 4n]);
});

test("a closed file cannot be read, and a read that is under way ends before the file is closed", async () => {
  const { files, path } = of("line\n".repeat(1_000_000));
  const file = await files.open(path);
  const reading = readSlice(file, { ...wide, maxLines: 1 });
  const closing = file.close();
  expect((await reading).totalLines).toBe(1_000_000);
  await closing;
  await expect(readSlice(file, wide)).rejects.toThrow("is closed");
});
