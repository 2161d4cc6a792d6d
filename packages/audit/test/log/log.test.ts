import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLogger, type LoggerOptions } from "../../src/log/log.js";

function lines(options: Partial<LoggerOptions>, write: (log: ReturnType<typeof createLogger>) => void): string[] {
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  write(createLogger({ format: "json", level: "debug", includeCorrelationId: true, destination, ...options }));
  return written;
}

const TIME = Date.parse("2026-01-31T10:00:00.000Z");

describe("a log line", () => {
  test("is one JSON object with time, level, message and the fields", () => {
    const written = lines({}, (log) => log.info({ time: TIME, tool: "health", n: 1, handle: null }, "health ok"));

    expect(written).toEqual([
      '{"time":"2026-01-31T10:00:00.000Z","level":"info","msg":"health ok","tool":"health","n":1,"handle":null}\n',
    ]);
  });

  test("as text is one line with key=value", () => {
    const fields = { time: TIME, tool: "health", agent: 'a "b" c', list: [1, 2], gone: undefined };

    expect(lines({ format: "text" }, (log) => log.warn(fields, "health ok"))).toEqual([
      '2026-01-31T10:00:00.000Z WARN  health ok tool=health agent="a \\"b\\" c" list=[1,2]\n',
    ]);
  });

  test("carries the time of writing where the fields name none", () => {
    const before = Date.now();
    const [line] = lines({}, (log) => log.info({ time: Number.NaN }, "x"));

    expect(Date.parse((JSON.parse(line ?? "") as { time: string }).time)).toBeGreaterThanOrEqual(before);
  });

  test("keeps no field of a caller from forging its time, level and message", () => {
    const [line] = lines({}, (log) => log.info({ time: TIME, level: "debug", msg: "forged" }, "real"));

    expect(JSON.parse(line ?? "")).toEqual({ time: "2026-01-31T10:00:00.000Z", level: "info", msg: "real" });
  });

  test.each(["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const)(
    "at level %s lets through what is as grave",
    (level) => {
      const all = { trace: 4, debug: 4, info: 3, warn: 2, error: 1, fatal: 0, silent: 0 };
      const written = lines({ level }, (log) => {
        for (const at of ["debug", "info", "warn", "error"] as const) log[at]({}, at);
      });

      expect(written).toHaveLength(all[level]);
    },
  );

  test("leaves the correlation id out where the operator does not want it", () => {
    const written = (includeCorrelationId: boolean) =>
      lines({ includeCorrelationId }, (log) => log.info({ time: TIME, correlation_id: "c0ffee00", n: 1 }, "x")).join(
        "",
      );

    expect(written(true)).toContain('"correlation_id":"c0ffee00"');
    expect(written(false)).toBe('{"time":"2026-01-31T10:00:00.000Z","level":"info","msg":"x","n":1}\n');
  });

  test("shows an error with its stack and its cause", () => {
    const error = new Error("outer", { cause: new TypeError("inner") });
    const [line] = lines({}, (log) => log.error({ error }, "x"));

    expect((JSON.parse(line ?? "") as { error: unknown }).error).toEqual({
      name: "Error",
      message: "outer",
      stack: expect.stringContaining("log.test.ts"),
      cause: { name: "TypeError", message: "inner", stack: expect.any(String) },
    });
  });

  test("has a bounded length whatever it is given", () => {
    const huge = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`k${n}`, "x".repeat(100_000)]));
    for (const format of ["json", "text"] as const) {
      const [line] = lines({ format }, (log) => log.info(huge, "m".repeat(100_000)));
      expect(line?.length).toBeLessThan(33_000);
    }
  });

  test("never holds an exact secret or the shape of one", () => {
    const written = lines({ secrets: ["correct horse battery"] }, (log) =>
      log.info({ a: ["x correct horse battery y"], url: "https://me:pw@host/" }, "got correct horse battery"),
    ).join("");

    expect(written).toContain("x *** y");
    expect(written).toContain("https://***@host/");
    expect(written).not.toMatch(/horse|me:pw/);
  });
});

// What could end the line, move the cursor or reorder what is shown.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

const hostile = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    fc.constantFrom(
      "\n",
      "\r",
      "\u001b[2J",
      "\u009b",
      "\u0085",
      "\u2028",
      "\u2029",
      "\u202e",
      "\u2066",
      '"',
      "\\",
      "{",
    ),
  ),
});

describe("no text forges a line or moves a terminal's cursor", () => {
  test("in JSON, which still means what was logged", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary", maxLength: 20 }), hostile), hostile, (fields, message) => {
        const written = lines({}, (log) => log.info({ fields: [Object.values(fields)], keys: fields }, message));
        expect(written).toHaveLength(1);
        const line = (written[0] ?? "").slice(0, -1);
        expect(line).not.toMatch(UNSAFE);
        expect((JSON.parse(line) as { msg: string }).msg).toBe(message);
      }),
    );
  });

  test("as text", () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (key, value, message) => {
        const written = lines({ format: "text" }, (log) => log.info({ time: TIME, [key]: value, v: [value] }, message));
        expect(written).toHaveLength(1);
        expect((written[0] ?? "").slice(0, -1)).not.toMatch(UNSAFE);
        expect(written[0]).toMatch(/^2026-01-31T10:00:00\.000Z INFO {2}/);
      }),
    );
  });
});
