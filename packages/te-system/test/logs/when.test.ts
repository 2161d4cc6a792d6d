import { expect, test } from "vitest";
import { fold, momentOf, templateOf, type LogEntry } from "../../src/index.js";

const NOW = new Date(2026, 0, 31, 14, 30, 0);
const at = (year: number, month: number, day: number, hours = 0, minutes = 0): number =>
  new Date(year, month, day, hours, minutes).getTime();

test.for<[string, number]>([
  ["now", NOW.getTime()],
  ["today", at(2026, 0, 31)],
  ["yesterday", at(2026, 0, 30)],
  ["1h", NOW.getTime() - 3_600_000],
  ["-90m", NOW.getTime() - 5_400_000],
  ["2 days ago", NOW.getTime() - 172_800_000],
  ["30 min ago", NOW.getTime() - 1_800_000],
  ["14:05", at(2026, 0, 31, 14, 5)],
  ["15:00", at(2026, 0, 30, 15, 0)],
  ["2026-01-02", at(2026, 0, 2)],
  ["2026-01-02 03:04", at(2026, 0, 2, 3, 4)],
  ["2026-01-02T03:04:05Z", Date.UTC(2026, 0, 2, 3, 4, 5)],
])("%s is a moment", ([given, expected]) => {
  expect(momentOf(given, "since", NOW)).toBe(expected);
});

test.for(["zzz", "", "25:00", "2026-13-40", "1 lightyear", "$(date)", "9".repeat(40)])("%j is none", (given) => {
  expect(() => momentOf(given, "since", NOW)).toThrow(/since is .* which is not a valid time/);
});

test("a template keeps the words and stars what changes", () => {
  expect(
    templateOf("took 15ms for 550e8400-e29b-41d4-a716-446655440000 at 0x7ffe from [fe80::1:2]:22 id deadbeef12"),
  ).toBe("took *ms for * at * from [*]:* id *");
});

test("lines of one kind are counted, bad ones keep an example, few stay as they are", () => {
  const entry = (message: string, priority = 6): LogEntry => ({ atMs: 0, source: "app", pid: null, priority, message });
  const lines = [
    ...Array.from({ length: 30 }, (_, index) => entry(`request ${index}`)),
    ...Array.from({ length: 10 }, (_, index) => entry(`connection ${index} refused`, 3)),
    ...Array.from({ length: 5 }, (_, index) => entry(`disk ${index} failed`, 3)),
    entry("once"),
  ];
  const { verbatim, templates } = fold(lines);

  expect(templates.map(({ text, count, example }) => [text, count, example?.message])).toEqual([
    ["request *", 30, undefined],
    ["connection * refused", 10, "connection 9 refused"],
  ]);
  expect(verbatim.map(({ message }) => message)).toEqual([
    ...[0, 1, 2, 3, 4].map((disk) => `disk ${disk} failed`),
    "once",
  ]);
  expect(fold(lines.slice(0, 20)).templates).toEqual([]);
});
