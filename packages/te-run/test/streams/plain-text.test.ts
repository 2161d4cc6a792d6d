import { expect, test } from "vitest";
import { textOf, wholeBytes } from "../../src/streams/plain-text.js";

const plain = { isRaw: false, isTerminal: false };
const shown = { isRaw: false, isTerminal: true };
const raw = { isRaw: true, isTerminal: true };

test.each([
  ["colours", "\u001b[1;31mred\u001b[0m", "red"],
  ["a title", "\u001b]0;user@host: ~\u0007$ ", "$ "],
  ["a title that ends in two characters", "\u001b]2;x\u001b\\done", "done"],
  ["bracketed paste", "\u001b[?2004h>>> ", ">>> "],
  ["a character set, a keypad mode", "\u001b(B\u001b=text\u001b>", "text"],
  ["a bell", "a\u0007b", "ab"],
  ["progress that goes on", "10%\r20%\r", "20%"],
  ["progress that has ended", "10%\r20%\r100%\ndone\n", "100%\ndone\n"],
  ["typing that was taken back", "_\bN_\bA_\bM\u00e9\be\n", "NAMe\n"],
])("without %s", (_, bytes, text) => {
  expect(textOf(Buffer.from(bytes), plain)).toBe(text);
});

test("a pipe keeps names that a NUL ends", () => {
  expect(textOf(Buffer.from("a\u0000b\u0000"), plain)).toBe("a\u0000b\u0000");
});

test.each([
  ["line ends", "a\r\nb\r\r\nc", "a\nb\nc"],
  ["progress", "10%\r20%\r100%\r\ndone", "100%\ndone"],
  ["what was typed and taken back", "lss\b\u001b[K -l", "ls -l"],
  ["nothing for a NUL", "a\u0000b", "ab"],
])("as a terminal shows %s", (_, bytes, text) => {
  expect(textOf(Buffer.from(bytes), shown)).toBe(text);
});

test("raw is as it came", () => {
  expect(textOf(Buffer.from("\u001b[1mx\r\n"), raw)).toBe("\u001b[1mx\r\n");
});

test("cut anywhere, the pieces are the whole: no character and no escape sequence is torn", () => {
  const text = "grün 漢字 🎉 \u001b[38;5;120mx\u001b[0m\u001b]0;title\u0007 end\r\n".repeat(3);
  const bytes = Buffer.from(text);
  for (const options of [plain, shown, raw]) {
    for (let step = 1; step < 40; step += 1) {
      let [at, end, told] = [0, 0, ""];
      while (end < bytes.length) {
        end = Math.min(bytes.length, end + step);
        const piece = bytes.subarray(at, end);
        const length = end === bytes.length ? piece.length : wholeBytes(piece, options);
        told += textOf(piece.subarray(0, length), options);
        at += length;
      }
      expect(told).toBe(textOf(bytes, options));
    }
  }
});

test("what only looks like the beginning of a sequence is not held back for ever", () => {
  const bytes = Buffer.from(`\u001b]${"x".repeat(100_000)}`);
  expect(wholeBytes(bytes, plain)).toBeGreaterThan(90_000);
});
