import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFrames, type Frame } from "../../src/stdio/frames.js";

const cut = (maxBytes: number, chunks: readonly string[]) => {
  const { push } = createFrames(maxBytes);
  return chunks.flatMap((chunk) => [...push(Buffer.from(chunk))].map(textOf));
};

/** Null for a line that was too long. */
const textOf = (frame: Frame): string | null => ("id" in frame ? null : frame.toString());

test.each([
  ["first", '{"jsonrpc":"2.0","id":7,"method":"x","params":{"id":8}}', 7],
  ["first, as a string", '{"id":"a-1","jsonrpc":"2.0","method":"x"}', "a-1"],
  ["last", '{"method":"x","params":{"id":8},"jsonrpc":"2.0","id":9}\r', 9],
  ["last but for the version", '{"method":"x","id":9,"jsonrpc":"2.0"}', 9],
  ["nowhere but in what is said", '{"method":"x","params":{"y":[],"id":8}}', null],
  ["in a batch", '[{"jsonrpc":"2.0","id":7,"method":"x"}]', null],
])("of a line that is too long the id is told that stands %s", (_, line, id) => {
  for (const size of [1, 7, 1000]) {
    const { push } = createFrames(200);
    const bytes = Buffer.from(`${line.replace('"x"', `"${"x".repeat(300)}"`)}\n`);
    const frames: Frame[] = [];
    for (let at = 0; at < bytes.length; at += size) frames.push(...push(bytes.subarray(at, at + size)));
    expect(frames).toEqual([{ id }]);
  }
});

describe("lines", () => {
  test.each([
    ["in one piece", ["a\nbc\n"], ["a", "bc"]],
    ["in pieces", ["a", "b", "c\nd", "\n"], ["abc", "d"]],
    ["without an end", ["a\nb"], ["a"]],
    ["that are empty", ["\n\r\n\n"], ["", "\r", ""]],
    ["of exactly the bound", ["12345", "678\nok\n"], ["12345678", "ok"]],
    ["one byte longer, in one piece", ["123456789\nok\n"], [null, "ok"]],
    ["one byte longer, in pieces", ["12345", "6789", "more", "\nok\n"], [null, "ok"]],
    ["too long twice", ["123456789\n123456789\nok\n"], [null, null, "ok"]],
    ["too long without an end", ["123456789", "123456789"], [null]],
  ])("%s are %j", (_, chunks, expected) => {
    expect(cut(8, chunks)).toEqual(expected);
  });

  test("come out the same however the stream is cut", () => {
    const line = fc.string({ unit: fc.constantFrom("a", "b", "\r", "\u0000", "é"), maxLength: 30 });
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(40)), (lines, sizes) => {
        const stream = Buffer.from(lines.map((text) => `${text}\n`).join(""));
        const { push } = createFrames(20);
        const frames: (string | null)[] = [];
        let at = 0;
        for (const size of [...sizes, stream.length]) {
          for (const frame of push(stream.subarray(at, at + size))) frames.push(textOf(frame));
          at += size;
        }
        expect(frames).toEqual(lines.map((text) => (Buffer.byteLength(text) > 20 ? null : text)));
      }),
    );
  });

  test("a kept line does not change when later ones arrive", () => {
    const { push } = createFrames(100);
    const first = [...push(Buffer.from("fir")), ...push(Buffer.from("st\nsec"))];
    const second = [...push(Buffer.from("ond\n"))];
    expect([...first, ...second].map(String)).toEqual(["first", "second"]);
  });

  test("memory does not follow a line that never ends, nor the number of its pieces", () => {
    const max = 1024 * 1024;
    const { push } = createFrames(max);
    const piece = Buffer.alloc(1, "x");
    const before = process.memoryUsage();
    for (let count = 0; count < max; count += 1) for (const frame of push(piece)) expect(frame).toBe("held");
    const large = Buffer.alloc(max, "x");
    let told = 0;
    for (let count = 0; count < 200; count += 1)
      for (const frame of push(large)) told += textOf(frame) === null ? 1 : 0;
    const after = process.memoryUsage();
    expect(told).toBe(1);
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(8 * max);
    expect(after.heapUsed - before.heapUsed).toBeLessThan(64 * max);
  });
});
