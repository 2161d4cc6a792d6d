import { expect, test, vi } from "vitest";
import { createChannel } from "../../src/flow/channel.js";
import { createProblems } from "../../src/flow/problems.js";
import { rowOf, type CallRow } from "../../src/record/row.js";
import { createMask } from "../../src/text/mask.js";
import { record } from "../fixture.js";

const row = (n: number) =>
  rowOf(record({ sessionId: String(n) }), { bytesOut: 0, tokensIn: 0, tokensOut: 0 }, createMask([]));

function setUp(fails: () => boolean) {
  const messages: string[] = [];
  const written: string[] = [];
  const onLost = vi.fn<(rows: number) => void>();
  const problems = createProblems({ log: null, onProblem: (message) => messages.push(message) });
  const write = (rows: readonly CallRow[]) => {
    if (fails()) throw new Error("the disk is full");
    written.push(...rows.map(({ sessionId }) => sessionId));
  };
  const channel = createChannel({ name: "The place", problems, write, writeSync: write, onLost });
  return { channel, messages, written, problems, onLost };
}

test("rows wait for a place that fails, which is said once, and once more when it is over", async () => {
  let broken = true;
  const { channel, messages, written, problems } = setUp(() => broken);
  for (let n = 0; n < 3; n += 1) {
    channel.push(row(n));
    await channel.drain({ now: true });
  }
  expect(problems.list()).toEqual(["The place does not take call records: the disk is full"]);

  broken = false;
  await channel.drain({ now: true });
  channel.push(row(3));
  await channel.drain({ now: true });

  expect(written).toEqual(["0", "1", "2", "3"]);
  expect(problems.list()).toEqual([]);
  expect(messages).toEqual([
    "The place does not take call records: the disk is full",
    "The place takes call records again; none was lost.",
  ]);
});

test("a place that failed is not tried again at once, unless somebody waits for it", async () => {
  const fails = vi.fn<() => boolean>(() => true);
  const { channel } = setUp(fails);
  channel.push(row(0));
  await channel.drain({ now: false });
  await channel.drain({ now: false });
  expect(fails).toHaveBeenCalledTimes(1);
  await channel.drain({ now: true });
  expect(fails).toHaveBeenCalledTimes(2);
});

test("no more rows wait than a bound: the oldest are given up, counted and told", async () => {
  let broken = true;
  const { channel, messages, written, onLost } = setUp(() => broken);
  channel.push(row(0));
  await channel.drain({ now: true });
  for (let n = 1; n < 10_005; n += 1) channel.push(row(n));
  broken = false;
  await channel.drain({ now: true });

  expect(written).toHaveLength(10_000);
  expect(written[0]).toBe("5");
  expect(onLost).toHaveBeenCalledTimes(5);
  expect(messages.at(-1)).toBe("The place takes call records again; 5 were lost.");
});

test("rows that come while a batch is written are neither lost nor written twice", async () => {
  const written: string[] = [];
  let arrivals = 0;
  const channel = createChannel<CallRow>({
    name: "The place",
    problems: createProblems({ log: null }),
    onLost: () => expect.unreachable(),
    writeSync: () => expect.unreachable(),
    write: async (rows) => {
      arrivals += 1;
      if (arrivals < 4) channel.push(row(arrivals));
      await Promise.resolve();
      written.push(...rows.map(({ sessionId }) => sessionId));
    },
  });
  channel.push(row(0));
  await channel.drain({ now: true });

  expect(written).toEqual(["0", "1", "2", "3"]);
  expect(channel.pending).toBe(0);
});

test("at a crash the rows are written at once, or the reason is told", () => {
  let broken = true;
  const { channel, messages, written } = setUp(() => broken);
  channel.push(row(0));
  channel.drainSync();
  broken = false;
  channel.drainSync();
  channel.drainSync();

  expect(written).toEqual(["0"]);
  expect(messages).toEqual(["The place does not take call records: the disk is full"]);
});

test("a listener that throws stops nothing", () => {
  const problems = createProblems({
    log: null,
    onProblem: () => {
      throw new Error("no");
    },
  });
  problems.raise("a", "A is broken");

  expect(problems.list()).toEqual(["A is broken"]);
});
