import { describe, expect, onTestFinished, test, vi } from "vitest";
import { drive, type Network } from "../../src/kernel/drive.js";
import { QuickDisks } from "../../src/kernel/quick-disks.js";
import { fsync } from "../../src/kernel/syscalls.js";

const { disk } = vi.hoisted(() => ({ disk: { now: 0, takes: 0, log: [] as string[] } }));

// A disk whose fsync takes as long as the test says, on a clock of its own: the machine's load says nothing here.
vi.mock("node:fs", async (importOriginal) => ({
  ...(await importOriginal<typeof import("node:fs")>()),
  fsyncSync: () => {
    disk.log.push("here");
    disk.now += disk.takes;
  },
  fsync: (_fd: number, done: (error: Error | null) => void) => {
    disk.log.push("pool");
    disk.now += disk.takes;
    setImmediate(done, null);
  },
}));

const [QUICK, HARDLY_SLOW, SLOW] = [0.2, 5, 40];
const network: Network = { call: () => Promise.reject(new Error("not local")), release: () => {} };

/** Where each of some fsyncs of the disk ran. */
async function syncs(dev: bigint | undefined, ...costs: readonly number[]): Promise<string[]> {
  const clock = vi.spyOn(performance, "now").mockImplementation(() => disk.now);
  onTestFinished(() => clock.mockRestore());
  disk.log.length = 0;
  for (const cost of costs) {
    disk.takes = cost;
    await drive(fsync({ fd: 0, mount: null }, dev), network);
  }
  return [...disk.log];
}

const times = (count: number, cost: number): number[] => Array.from({ length: count }, () => cost);

describe("an fsync with little to write", () => {
  test("is waited for in the event loop once its disk has been quick four times in a row", async () => {
    expect(await syncs(1n, ...times(6, QUICK))).toEqual(["pool", "pool", "pool", "pool", "here", "here"]);
  });

  test("goes to the thread pool again after a single one that was slow", async () => {
    await syncs(2n, ...times(4, QUICK));
    expect(await syncs(2n, SLOW, SLOW, SLOW, QUICK)).toEqual(["here", "pool", "pool", "pool"]);
  });

  test("never leaves the pool where the disk is slow, or unknown, or there may be much to write", async () => {
    expect(new Set(await syncs(3n, ...times(20, SLOW)))).toEqual(new Set(["pool"]));
    expect(new Set(await syncs(undefined, ...times(20, QUICK)))).toEqual(new Set(["pool"]));
  });

  test("of one disk says nothing about another", async () => {
    await syncs(4n, ...times(4, QUICK));
    expect([await syncs(5n, QUICK), await syncs(4n, QUICK)]).toEqual([["pool"], ["here"]]);
  });
});

test("a disk that is slow now and then is trusted ever more rarely", () => {
  const disks = new QuickDisks();
  const earned: number[] = [];
  for (let slip = 0; slip < 10; slip++) {
    let quick = 0;
    for (; !disks.isQuick(1n); quick++) disks.took(1n, QUICK);
    earned.push(quick);
    disks.took(1n, SLOW);
  }
  expect(earned).toEqual([4, 8, 16, 32, 64, 128, 256, 512, 1024, 1024]);
});

test("an answer that holds nobody up costs trust only where it is the rule", () => {
  const [rarely, often] = [new QuickDisks(), new QuickDisks()];
  const take = (disks: QuickDisks, quick: number): void => {
    for (let count = 0; count < quick; count++) disks.took(1n, QUICK);
    disks.took(1n, HARDLY_SLOW);
  };
  for (let round = 0; round < 5; round++) {
    take(rarely, 30);
    take(often, 3);
  }
  expect([rarely.isQuick(1n), often.isQuick(1n)]).toEqual([true, false]);
});

test("slow answers from the pool make trust no dearer: nobody was held up", () => {
  const disks = new QuickDisks();
  for (let count = 0; count < 10; count++) disks.took(1n, SLOW);
  for (let count = 0; count < 4; count++) disks.took(1n, QUICK);
  expect(disks.isQuick(1n)).toBe(true);
});

test("of very many disks only some are remembered", () => {
  const disks = new QuickDisks();
  for (let dev = 0n; dev < 65n; dev++) for (let count = 0; count < 4; count++) disks.took(dev, QUICK);
  expect([disks.isQuick(0n), disks.isQuick(64n)]).toEqual([false, true]);
});
