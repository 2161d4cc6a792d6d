import { expect, test } from "vitest";
import { bytesOf, sinceWhen } from "../../../../src/tools/search/names/amounts.js";

const NOW = Date.parse("2026-03-10T12:00:00Z");

test.for([
  ["90m", "2026-03-10T10:30:00Z"],
  ["90 min", "2026-03-10T10:30:00Z"],
  ["3h", "2026-03-10T09:00:00Z"],
  ["2 hours", "2026-03-10T10:00:00Z"],
  ["2d", "2026-03-08T12:00:00Z"],
  ["1.5d", "2026-03-09T00:00:00Z"],
  ["1 week", "2026-03-03T12:00:00Z"],
  ["30s", "2026-03-10T11:59:30Z"],
  ["2026-01-31", "2026-01-31T00:00:00Z"],
  ["2026-01-31T08:00:00Z", "2026-01-31T08:00:00Z"],
] as const)("%s is since %s", ([text, since]) => {
  expect(new Date(sinceWhen(text, NOW)).toISOString()).toBe(new Date(since).toISOString());
});

test.for(["", "2", "2 months", "d", "yesterday", "-2d", "2026-13-01", "1e9d"])("%j is no age", (text) => {
  expect(() => sinceWhen(text, NOW)).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENT", hint: expect.any(String) }),
  );
});

test.for([
  [1000, 1000],
  ["1000", 1000],
  ["10k", 10_240],
  ["10 KB", 10_240],
  ["10KiB", 10_240],
  ["1.5MB", 1_572_864],
  ["2G", 2 * 1024 ** 3],
  ["7 bytes", 7],
  ["7b", 7],
] as const)("%s is %s bytes", ([given, bytes]) => {
  expect(bytesOf("min_size", given)).toBe(bytes);
});

test.for(["", "k", "10x", "-1", "1,5MB"])("%j is no size", (text) => {
  expect(() => bytesOf("min_size", text)).toThrow(/linux\.search_files: min_size is/);
});
