import { describe, expect, test } from "vitest";
import { openTeCalls } from "../../src/flow/open-calls.js";
import { createMisses } from "../../src/record/misses.js";
import { teRowOf, type TeRow } from "../../src/record/te-row.js";
import type { TeCalls } from "../../src/store/te-calls.js";
import { createMask } from "../../src/text/mask.js";
import { DRIVERS, openDriver } from "../drivers.js";
import { envelopeFacts, record } from "../fixture.js";

const DAY = 86_400_000;
const ID = "H_cmd_20260131T100000Z_aaaaaaaaaaaaaaaaaaaa";

function row(given: Partial<TeRow> = {}): TeRow {
  const made = teRowOf(record(), envelopeFacts(), { mask: createMask([]), version: "1.2.3" });
  return { ...made, timestamp: new Date().toISOString(), ...given };
}

describe.each(DRIVERS)("the telemetry kept in %s", (driver) => {
  const open = async (retention = { rows: 100, days: 0 }) => openTeCalls(await openDriver(driver), retention);
  const families = async (kept: TeCalls) => (await kept.savings()).map(({ family }) => family).toSorted();

  test("counts savings against what the client shows anyway", async () => {
    const kept = await open();
    const tokens = { rawTokens: 60_000, shownTokens: 1_000 };
    kept.appendSync([row({ ...tokens, client: "claude-code", clientCapTokens: 25_000 })]);
    await kept.append([row({ ...tokens, rawTokens: 4_000, client: "claude-code", clientCapTokens: 25_000 })]);
    await kept.append([row(tokens)]);

    expect(await kept.savings()).toEqual([
      { family: "git", client: null, count: 1, rawTokens: 60_000, shownTokens: 1_000, savedTokens: 59_000, missed: 0 },
      {
        family: "git",
        client: "claude-code",
        count: 2,
        rawTokens: 64_000,
        shownTokens: 2_000,
        savedTokens: 27_000,
        missed: 0,
      },
    ]);
  });

  test.each([[ID], [`linuxops://handle/${ID}`]])("a read of %s takes the savings of its call back", async (handle) => {
    const kept = await open();
    await kept.append([row({ family: "read", handle: null, stderrHandle: ID }), row({ family: "not read" })]);
    await kept.append([{ missed: "handle_read", handle }]);

    const found = await kept.savings();
    expect(found.find(({ family }) => family === "read")).toMatchObject({ missed: 1, savedTokens: 0 });
    expect(found.find(({ family }) => family === "not read")).toMatchObject({ missed: 0, savedTokens: 400 });
  });

  test("a second run takes back the newest run of the session alone", async () => {
    const kept = await open();
    await kept.append([
      row({ family: "older" }),
      row({ family: "other session", session: "s2" }),
      row({ family: "newest" }),
    ]);
    const miss = { missed: "rerun", session: "s1", command: "git log" } as const;
    await kept.append([miss, miss]);

    const missed = (await kept.savings()).filter((each) => each.missed > 0);
    expect(missed.map(({ family }) => family)).toEqual(["newest"]);
  });

  test("keeps the newest so many, and none older than so many days", async () => {
    const few = await open({ rows: 2, days: 0 });
    await few.append(["a", "b", "c"].map((family) => row({ family })));
    expect(await families(few)).toEqual(["b", "c"]);

    const young = await open({ rows: 100, days: 7 });
    await young.append([row({ family: "old", timestamp: new Date(Date.now() - 8 * DAY).toISOString() })]);
    await young.append([row({ family: "new" })]);
    expect(await families(young)).toEqual(["new"]);
  });
});

describe("a command counts as run again", () => {
  const run = (command: string, cwd?: string) =>
    record({ envelope: envelopeFacts({ command }), facts: cwd === undefined ? {} : { cwd } });
  const missesOf = (...calls: ReturnType<typeof run>[]) => {
    const misses = createMisses();
    return calls.map((call) => misses.after(call, call.envelope === null ? null : row())?.missed ?? null);
  };
  const others = (count: number) => Array.from({ length: count }, () => record());

  test("within five calls of its session", () => {
    expect(missesOf(run("a"), ...others(4), run("a")).at(-1)).toBe("rerun");
    expect(missesOf(run("a"), ...others(5), run("a")).at(-1)).toBeNull();
  });

  test("in the same folder and the same session only", () => {
    expect(missesOf(run("a"), run("b"), run("a", "sub"), { ...run("a"), sessionId: "s2" })).toEqual([
      ...[null, null, null, null],
    ]);
  });
});

test("a row is masked, bounded and knows the cap of its client", () => {
  const facts = envelopeFacts({ command: `curl -H "Authorization: Bearer abcdef123456" ${"x".repeat(5_000)}` });
  const call = record({ client: "Claude-Code (via mcp-remote 0.1)" });
  const made = teRowOf(call, facts, { mask: createMask([]), version: "1.2.3" });

  expect(made.command).not.toContain("abcdef123456");
  expect(made.command.length).toBeLessThanOrEqual(1_000);
  expect(made).toMatchObject({ clientCapTokens: 25_000, engineVersion: "1.2.3", missed: null });
  expect(
    teRowOf(record({ client: "claude-ai" }), facts, { mask: createMask([]), version: "" }).clientCapTokens,
  ).toBeNull();
});
