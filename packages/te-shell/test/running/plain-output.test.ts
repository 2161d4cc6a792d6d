import * as fc from "fast-check";
import { expect, test } from "vitest";
import { KeptOutput } from "../../src/running/kept-output.js";
import { plainOutput } from "../../src/index.js";

function kept(text: string | Buffer, maxBytes = 1_000_000): KeptOutput {
  const output = new KeptOutput(maxBytes);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 7) output.add(bytes.subarray(at, at + 7));
  return output;
}

function shown(text: string): { text: string; total: number; lines: number; isFullScreen: boolean } {
  const { head, tail, total, lines, isFullScreen } = plainOutput(kept(text));
  return { text: Buffer.concat([head(), tail()]).toString(), total, lines, isFullScreen };
}

test("escape sequences go, progress and typing are as they were last, and what is counted is what is shown", () => {
  const text = "\u001b[32mok\u001b[0m\r\n\u001b]0;title\u0007 1%\r 50%\r100%\nab\bc\n";
  expect(shown(text)).toEqual({ text: "ok\n100%\nac\n", total: 11, lines: 3, isFullScreen: false });
});

test("what a program drew on the alternate screen goes with it", () => {
  const editor = "before\n\u001b[?1049h\u001b[2J\u001b[1;1Htext\n~\n\u001b[?1049lafter\n";
  expect(shown(editor)).toEqual({ text: "before\nafter\n", total: 13, lines: 2, isFullScreen: true });
  expect(shown("\u001b[?1049h\u001b[24;1Hnever left").text).toBe("");
});

test("without an alternate screen, drawing all over the screen is left out, and clearing it is not", () => {
  const rows = Array.from({ length: 20 }, (_, row) => `\u001b[${row + 1};1H~          `).join("");
  expect(shown(`\u001b[m\u001b[H\u001b[2J${rows}`)).toMatchObject({ text: "", isFullScreen: true });
  expect(shown("\u001b[H\u001b[2Jhello\n")).toMatchObject({ text: "hello\n", isFullScreen: false });
});

test("bytes without any of it stay as they are, text or not", () => {
  const any = fc
    .uint8Array()
    .map((bytes) => Buffer.from(bytes.filter((byte) => ![27, 7, 8, 13, 14, 15].includes(byte))));
  fc.assert(
    fc.property(any, fc.integer({ min: 1, max: 64 }), (bytes, max) => {
      const output = kept(bytes, max);
      const plain = plainOutput(output);
      expect([plain.head(), plain.tail(), plain.total, plain.lines, plain.lost]).toEqual([
        output.head(),
        output.tail(),
        output.total,
        output.lines,
        output.lost,
      ]);
    }),
  );
});

test("of any output no escape sequence, bell or return is left, and the amounts agree", () => {
  const piece = fc.constantFrom(
    "\u001b[31m",
    "\u001b[K",
    "\r",
    "\r\n",
    "\b",
    "\u0007",
    "word",
    "ü",
    "\n",
    "\u001b]0;t\u0007",
    "100%",
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const { text, total, lines } = shown(pieces.join(""));
      // oxlint-disable-next-line no-control-regex
      expect(text).not.toMatch(/[\u001b\r\b\u0007]/);
      expect([total, lines]).toEqual([Buffer.byteLength(text), text.split("\n").length - 1]);
    }),
  );
});

test("a flood keeps its beginning and its end, each cleaned", () => {
  const output = new KeptOutput(1000);
  for (let line = 0; line < 60_000; line += 1) output.add(Buffer.from(`\u001b[3${line % 8}m${line}\u001b[0m\n`));
  const { head, tail, total, lost, lines } = plainOutput(output);
  expect(head().toString()).toMatch(/^0\n1\n2\n/);
  expect(tail().toString()).toMatch(/\n59998\n59999\n$/);
  expect([total, lines]).toEqual([head().length + lost + tail().length, 60_000]);
});
