import { expect, test } from "vitest";
import type { Cost } from "../../src/measure/everyday/attempt.js";
import { everydayRows, type Costs } from "../../src/measure/everyday/rows.js";
import type { Kind, Task } from "../../src/measure/everyday/task.js";

const task = (name: string, kind: Kind): Task => ({ name, kind, ours: [], dc: [], check: () => true });
const TASKS = [task("look", "read"), task("put", "write"), task("test", "large output")];

function costs(tokens: readonly (number | Error)[], listing: number): Costs {
  const found = (of: number | Error | undefined): Cost | Error =>
    typeof of === "number" ? { tokens: of, calls: 1 } : (of ?? new Error("none"));
  const all = new Map(TASKS.map((each, nth) => [each, found(tokens[nth])]));
  return { cheapest: all, byAny: all, listing: { tokens: listing, calls: 0 } };
}

const none = costs([], 50);

function found(
  ours: readonly (number | Error)[],
  dc: readonly (number | Error)[],
): Map<string, [unknown, unknown, unknown]> {
  const rows = everydayRows(TASKS, { ours: costs(ours, 100), dc: costs(dc, 1000), fs: none });
  const own = rows.filter(({ subject }) => subject.startsWith("LinuxOps"));
  return new Map(own.map((row) => [row.case, [row.median, row.goal?.met, row.note]]));
}

test("sums are without a large output, of the writes, and of all with the listing", () => {
  const rows = found([100, 50, 10], [100, 100, 1000]);
  expect(rows.get("read: look")).toEqual([100, true, null]);
  expect(rows.get("all without a large output")).toEqual([150, true, null]);
  expect(rows.get("all writes")).toEqual([50, true, null]);
  expect(rows.get("all")).toEqual([160, undefined, null]);
  expect(rows.get("all, the list of tools and the instructions")).toEqual([260, undefined, null]);
});

test("a task that costs more misses its goal, and so do sums over 0.8", () => {
  const rows = found([101, 100, 10], [100, 100, 1000]);
  expect(rows.get("read: look")?.[1]).toBe(false);
  expect(rows.get("all without a large output")?.[1]).toBe(false);
  expect(rows.get("all writes")?.[1]).toBe(true);
});

test("what Desktop Commander did not do is left out of both sums, and named", () => {
  const rows = found([100, 50, 10], [new Error("wrong"), 100, 1000]);
  expect(rows.get("all without a large output")).toEqual([50, true, "without: look"]);
});

test("what we did not do leaves no sum", () => {
  const rows = found([new Error("wrong"), 50, 10], [100, 100, 1000]);
  expect(rows.get("all without a large output")).toEqual([null, null, "not measured: wrong"]);
  expect(rows.get("all writes")?.[1]).toBe(true);
});

test("without the peer our sums stand by themselves", () => {
  const rows = found([100, 50, 10], [new Error("no"), new Error("no"), new Error("no")]);
  expect(rows.get("all without a large output")).toEqual([150, null, null]);
});
