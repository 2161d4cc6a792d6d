import fc from "fast-check";
import { expect, test } from "vitest";
import { lineIn, pathIn } from "../../src/content/rg-message.js";

/** Bytes that are no text come as base64. */
const inMessage = (bytes: Buffer): object =>
  Buffer.from(bytes.toString("utf8")).equals(bytes)
    ? { text: bytes.toString("utf8") }
    : { bytes: bytes.toString("base64") };

const hostile = fc.constantFrom(
  '"},"lines":{"text":"',
  '"},"line_number":7,"absolute_offset":9,"submatches":[',
  '"},"start":1,"end":2}]',
  '"}}}',
  "\\",
  "\\n",
  "\n",
  "\r\n",
  "\u2028é€😀",
  "\u0001\t",
);
const bytes = fc
  .array(
    fc.oneof(
      hostile.map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 4 }),
      fc.string().map((text) => Buffer.from(text)),
    ),
  )
  .map((parts) => Buffer.concat(parts));
const spans = fc.array(fc.record({ match: bytes, start: fc.nat(), end: fc.nat() }), { maxLength: 5 });

/** The message lies between others, as in a chunk. */
function between(message: object): [bytes: Buffer, from: number, to: number] {
  const before = '{"type":"end","data":{"path":{"text":"x"},"binary_offset":null,"stats":{}}}\n';
  const after =
    '\n{"type":"match","data":{"path":{"text":"y"},"lines":{"text":"z"},"line_number":1,"absolute_offset":0,"submatches":[{"match":{"text":"z"},"start":0,"end":1}]}}\n';
  const text = JSON.stringify(message);
  const from = Buffer.byteLength(before);
  return [Buffer.from(before + text + after), from, from + Buffer.byteLength(text)];
}

test("a line is read as a parser reads it, whatever stands in it and in its path", () => {
  fc.assert(
    fc.property(bytes, bytes, fc.nat(), fc.maxSafeNat(), spans, (path, line, number, offset, found) => {
      const message = {
        type: "match",
        data: {
          path: inMessage(path),
          lines: inMessage(line),
          line_number: number,
          absolute_offset: offset,
          submatches: found.map(({ match, start, end }) => ({ match: inMessage(match), start, end })),
        },
      };
      const seen = lineIn(...between(message));
      expect(
        Buffer.concat([Buffer.from(seen.bytes as Buffer), Buffer.from(seen.isEnded === true ? "\n" : "")]),
      ).toEqual(line);
      expect([seen.line, seen.offset]).toEqual([number, offset]);
      expect(seen.spans).toEqual(found.map(({ start, end }) => [start, end]));
    }),
  );
});

test("a path is told in bytes", () => {
  fc.assert(
    fc.property(bytes, (path) => {
      expect(pathIn(...between({ type: "begin", data: { path: inMessage(path) } }))).toBe(path.toString("latin1"));
    }),
  );
});
