import fc from "fast-check";
import { expect, test } from "vitest";
import { detectEncoding, encodeText, Sniffer, type Encoding } from "../../src/text/encoding.js";
import { textOfUnits, unitsOfText } from "../../src/text/windows-1252.js";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

test.for<readonly [string, Buffer, Encoding["name"]]>([
  ["ASCII", latin1("plain\n"), "utf-8"],
  ["nothing", Buffer.alloc(0), "utf-8"],
  ["UTF-8", Buffer.from("naïve – 日本 🙂\n"), "utf-8"],
  ["a mark of UTF-8", Buffer.from("\ufeffx"), "utf-8"],
  ["UTF-16", Buffer.from("\ufeffx", "utf16le"), "utf-16le"],
  ["UTF-16 the other way", Buffer.from("\ufeffx", "utf16le").swap16(), "utf-16be"],
  ["French", latin1("L'\xe9t\xe9 \xe0 No\xebl, 5 \x80 \x96 d\xe9j\xe0 vu\n"), "windows-1252"],
  ["German", latin1("Gr\xfc\xdfe aus K\xf6ln\n"), "windows-1252"],
  ["letters in a row", latin1("\xc4\xd6\xdc \xe4\xf6\xfc \xdf\n"), "windows-1252"],
  ["a letter at the very end", latin1("caf\xe9"), "windows-1252"],
  ["a letter before a newline", latin1("caf\xe9\n"), "windows-1252"],
  ["colours of a terminal", latin1("\x1b[31m\xe9chec\x1b[0m\r\n"), "windows-1252"],
  ["a byte that no character has", latin1("caf\xe9 \x81\n"), "utf-8"],
  ["a byte of data", latin1("a\xffb\n"), "utf-8"],
  ["control characters", latin1("caf\xe9\x01\n"), "utf-8"],
  ["a NUL", latin1("caf\xe9\0\n"), "utf-8"],
  ["Russian in its own encoding", latin1("\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0\n"), "utf-8"],
  ["UTF-8 with broken bytes", Buffer.concat([Buffer.from("naïve ☃ "), latin1("\xe9 \xe8\n")]), "utf-8"],
])("%s is known by its bytes", ([, bytes, name]) => {
  expect(detectEncoding(bytes).name).toBe(name);
});

test("property: text is known for what it is in whatever pieces it comes", () => {
  const sample = fc.constantFrom("a", "\n", "é", "–", "日", "🙂", "word ");
  const run = fc.property(
    fc.array(sample, { maxLength: 40 }),
    fc.boolean(),
    fc.array(fc.integer({ min: 2, max: 9 }), { minLength: 1 }),
    (parts, western, sizes) => {
      const text = parts.join("");
      const bytes = western ? latin1(unitsOfText(text.replaceAll(/[日🙂]/gu, ""))) : Buffer.from(text);
      const sniffer = new Sniffer();
      for (let at = 0, nth = 0; at < bytes.length; nth++) {
        const end = at + (sizes[nth % sizes.length] ?? 2);
        sniffer.push(bytes.subarray(at, end));
        at = end;
      }
      // Whole UTF-8 characters in a piece settle the encoding early; without them, pieces are judged like a whole file.
      if (western || !sniffer.isSure) expect(sniffer.conclude().name).toBe(detectEncoding(bytes).name);
      else expect(sniffer.conclude().name).toBe("utf-8");
    },
  );
  fc.assert(run, { examples: [[["é", "a", "é", "–", "–"], true, [2]]] });
});

test("property: every byte is a character of windows-1252 and back", () => {
  const run = fc.property(fc.uint8Array(), (bytes) => {
    const units = Buffer.from(bytes).toString("latin1");
    expect(unitsOfText(textOfUnits(units))).toBe(units);
  });
  fc.assert(run);
});

test("a character that windows-1252 lacks is refused by name, with the file's", () => {
  expect(encodeText("5 € – “x”", "windows-1252", "a.txt")).toEqual(latin1("5 \x80 \x96 \x93x\x94"));
  for (const [text, lacking] of [
    ["a → b", '"→"'],
    ["🙂", '"🙂"'],
  ] as const) {
    expect(() => encodeText(text, "windows-1252", "a.txt")).toThrow(
      `a.txt is windows-1252 text, which has no ${lacking}`,
    );
  }
});

test("the end of a cut text that may begin a character says nothing", () => {
  const sniffer = new Sniffer();
  sniffer.push(Buffer.concat([latin1("plain "), Buffer.from("é").subarray(0, 1)]));
  expect([sniffer.conclude({ isCut: true }).name, sniffer.conclude().name]).toEqual(["utf-8", "windows-1252"]);
});
