import { describe, expect, test } from "vitest";
import type { Retention } from "../../src/store/calls.js";
import { openCalls } from "../../src/flow/open-calls.js";
import { createMask } from "../../src/text/mask.js";
import { rowOf, type CallRow } from "../../src/record/row.js";
import { openDriver, DRIVERS } from "../drivers.js";
import { record } from "../fixture.js";

const DAY = 86_400_000;
const SIZES = { bytesOut: 1, tokensIn: 2, tokensOut: 3 };

function rows(count: number, given: { from?: number; startedAt?: number; tool?: string } = {}): CallRow[] {
  const { from = 0, startedAt = Date.now(), tool = "t" } = given;
  return Array.from({ length: count }, (_, n) =>
    rowOf(record({ sessionId: String(from + n), startedAt, tool, durationMs: from + n }), SIZES, createMask([])),
  );
}

describe.each(DRIVERS)("the calls kept in %s", (driver) => {
  const openKept = async (retention: Retention) => openCalls(await openDriver(driver), retention);
  const open = async (retention: Retention) => (await openKept(retention)).calls;
  const sessions = (kept: readonly CallRow[]) => kept.map(({ sessionId }) => Number(sessionId));

  test("come back as they were given, newest first", async () => {
    const { calls, appendSync } = await openKept({ rows: 100, days: 0 });
    const given = rows(3);
    await calls.append(given.slice(0, 2));
    appendSync(given.slice(2));

    expect(await calls.recent({ limit: 10 })).toEqual(given.toReversed());
  });

  test("are no more than the newest so many", async () => {
    const calls = await open({ rows: 10, days: 0 });
    await calls.append(rows(8));
    await calls.append(rows(7, { from: 8 }));

    expect(sessions(await calls.recent({ limit: 100 }))).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5]);
  });

  test("are no older than so many days", async () => {
    const calls = await open({ rows: 100, days: 7 });
    await calls.append(rows(3, { startedAt: Date.now() - 8 * DAY }));
    await calls.append(rows(2, { from: 3, startedAt: Date.now() - 6 * DAY }));
    await calls.append(rows(1, { from: 5 }));

    expect(sessions(await calls.recent({ limit: 100 }))).toEqual([5, 4, 3]);
  });

  test("of any age stay where the days are 0", async () => {
    const calls = await open({ rows: 100, days: 0 });
    await calls.append(rows(2, { startedAt: 0 }));

    expect(await calls.recent({ limit: 100 })).toHaveLength(2);
  });

  test("are counted over all pages", async () => {
    const calls = await open({ rows: 20_000, days: 0 });
    await calls.append(rows(4_000));
    await calls.append(rows(1_000, { from: 4_000 }));
    const few = driver === "memory" ? 0 : 2_001;
    await calls.append(rows(few, { tool: "u" }));

    const stats = await calls.usage();

    expect(stats[0]).toEqual({
      tool: "t",
      count: 5_000,
      errors: {},
      p50Ms: 2_499,
      p95Ms: 4_749,
      p99Ms: 4_949,
      tokensIn: 10_000,
      tokensOut: 15_000,
    });
    expect(stats[1]?.count ?? 0).toBe(few);
  });

  test("have statistics of a bounded number of tools", async () => {
    const calls = await open({ rows: 1_000, days: 0 });
    await calls.append(Array.from({ length: 300 }, (_, n) => rows(1, { tool: `tool_${n}` })).flat());

    const stats = await calls.usage();

    expect(stats).toHaveLength(201);
    expect(stats[0]).toMatchObject({ tool: "unknown", count: 100 });
  });
});

// In memory there is nothing to spread.
test.skipIf(DRIVERS[0] === "memory").each([
  ["by age", { rows: 100_000, days: 7 }, [3_001, 1_002, 3, 4]],
  ["by number", { rows: 500, days: 0 }, [3_000, 1_000, 500, 500]],
])("a table that has to shrink a lot %s does it over several batches", async (_, retention, expected) => {
  const database = await openDriver(DRIVERS[0] ?? "memory");
  const { calls: before } = await openCalls(database, { rows: 100_000, days: 0 });
  await before.append(rows(5_000, { startedAt: Date.now() - 30 * DAY }));

  const { calls } = await openCalls(database, retention);
  const left: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    await calls.append(rows(1, { from: 10_000 + n }));
    left.push((await calls.recent({ limit: 10_000 })).length);
  }

  expect(left).toEqual(expected);
});
