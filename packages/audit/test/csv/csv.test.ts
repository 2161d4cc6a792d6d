import fc from "fast-check";
import { expect, test } from "vitest";
import { CSV_HEADER, csvLine } from "../../src/csv/csv.js";
import type { CallRow } from "../../src/record/row.js";
import { parseCsv } from "../parse-csv.js";

const ROW: CallRow = {
  timestamp: "2026-01-31T10:00:00.000Z",
  correlationId: "c0ffee00",
  sessionId: "s1",
  agentId: "agent",
  model: "model",
  entry: "stdio",
  tool: "linux.fs_read",
  status: "ok",
  durationMs: 12.5,
  args: "{}",
  facts: "{}",
  truncated: false,
  handle: null,
  bytesOut: 11,
  tokensIn: 9,
  tokensOut: 2,
};

test("the columns are exactly those of the token audit, every cell quoted", () => {
  expect(CSV_HEADER).toBe(
    '"timestamp","correlation_id","session_id","agent_id","model","tool","status","tokens_in","tokens_out","duration_ms"\n',
  );
  expect(csvLine(ROW)).toBe(
    '"2026-01-31T10:00:00.000Z","c0ffee00","s1","agent","model","linux.fs_read","ok","9","2","12.5"\n',
  );
});

test.each(["=", "+", "-", "@", "\t", "\r"])("a cell that begins with %j is text to a spreadsheet", (first) => {
  const line = csvLine({ ...ROW, agentId: `${first}HYPERLINK("http://x")` });

  expect(parseCsv(line)[0]?.[3]).toBe(`'${first}HYPERLINK("http://x")`);
});

test("whatever the cells hold comes back, and none is a formula", () => {
  const cell = fc.string({
    maxLength: 12,
    unit: fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      fc.constantFrom('"', ",", "\n", "\r", "=", "@", "\t", "'"),
    ),
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
      const text = rows.map(([sessionId, agentId, model]) => csvLine({ ...ROW, sessionId, agentId, model })).join("");

      const parsed = parseCsv(text);

      expect(parsed.map((cells) => cells.length)).toEqual(rows.map(() => 10));
      const given = parsed.map((cells) => cells.slice(2, 5).map((text) => text.replace(/^'(?=[=+\-@\t\r])/, "")));
      expect(given).toEqual(rows.map((cells) => cells.map((text) => text.replace(/^'(?=[=+\-@\t\r])/, ""))));
      expect(parsed.flat().filter((text) => /^[=+\-@\t\r]/.test(text))).toEqual([]);
    }),
  );
});
