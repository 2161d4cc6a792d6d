import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hitProgress } from "../../../../src/tools/search/content/hit-progress.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a long search tells once a second what it has found, and nothing after its end", () => {
  const told: string[] = [];
  const progress = hitProgress({ progress: (message) => void told.push(message) });
  const hit = { line: 1, column: 1, offset: 0, text: "x", cut: { before: 0, after: 0 }, spans: [] };
  vi.advanceTimersByTime(900);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(200);
  progress.onHit(hit, { way: "a", path: "/r/a" });
  progress.onHit(hit, { way: "b", path: "/r/b" });
  vi.advanceTimersByTime(1000);
  progress.end();
  vi.advanceTimersByTime(5000);
  expect(told).toEqual(["No hits so far", "2 hits so far, the last in /r/b"]);
});
