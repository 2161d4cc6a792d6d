import { linkSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { LockFolder } from "../../src/locks/lock-folder.js";
import { ownMark } from "../../src/locks/process-mark.js";
import { scratch } from "./scratch.js";

const name = LockFolder.nameOf("key");
const guard = `${name}~`;
const dead = `${ownMark().replace(/\d+$/, "1")}\n`;
const alive = `${ownMark()}\n`;
/** Of a process in another container. */
const foreign = ownMark().replace("pid:[", "pid:[1");

interface Site {
  readonly folder: LockFolder;
  readonly path: (name: string) => string;
  /** Lets another process have this name, which leaves this text in it. */
  readonly leave: (name: string, text: string) => void;
  readonly names: () => string[];
}

function site(): Site {
  const dir = scratch();
  const folder = new LockFolder(dir);
  onTestFinished(() => folder.close());
  // Makes the folder.
  folder.take("0".repeat(32));
  folder.drop("0".repeat(32));
  const path = (each: string): string => join(dir, "locks", each);
  const names = (): string[] => readdirSync(join(dir, "locks")).filter((each) => !each.startsWith("owner"));
  return { folder, path, leave: (each, text) => writeFileSync(path(each), text), names: () => names().toSorted() };
}

const wait = (ms: number): void => void vi.advanceTimersByTime(ms);

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

test("a process in another container has its lock for as long as it gives signs of life", () => {
  const { folder, path, leave } = site();
  leave(name, foreign);
  const taken = [folder.take(name)];
  wait(9999);
  taken.push(folder.take(name));
  utimesSync(path(name), 2 ** 32, 2 ** 32);
  wait(5000);
  taken.push(folder.take(name));
  wait(9999);
  taken.push(folder.take(name));
  wait(1);
  taken.push(folder.take(name));
  expect([taken, readFileSync(path(name), "latin1")]).toEqual([[false, false, false, false, true], alive]);
});

test("a lock that is held gives a sign of life every second, and one after a rest from its first moment", () => {
  const { folder, path } = site();
  const [owner = ""] = readdirSync(path(".")).filter((each) => each.startsWith("owner"));
  const isFresh = (): boolean => statSync(path(owner)).mtimeMs > 1_000_000;
  const age = (): void => utimesSync(path(owner), 1, 1);
  age();
  wait(20_000);
  const fresh = [isFresh()];
  folder.take(name);
  fresh.push(isFresh());
  age();
  wait(1000);
  fresh.push(isFresh());
  folder.drop(name);
  age();
  wait(5000);
  fresh.push(isFresh());
  expect([fresh, vi.getTimerCount()]).toEqual([[false, true, true, false], 0]);
});

test("after a standstill a lock is given back only if nobody has taken it over", () => {
  const { folder, path, leave, names } = site();
  folder.take(name);
  folder.take(LockFolder.nameOf("other"));
  vi.clearAllTimers();
  wait(6000);
  rmSync(path(name));
  leave(name, alive);
  expect([folder.drop(name), folder.drop(LockFolder.nameOf("other")), names()]).toEqual([true, true, [name]]);
});

test("while somebody looks into a lock after a standstill, its owner waits", () => {
  const { folder, path, leave, names } = site();
  folder.take(name);
  vi.clearAllTimers();
  wait(6000);
  leave(guard, alive);
  const first = folder.drop(name);
  rmSync(path(guard));
  expect([first, folder.drop(name), names()]).toEqual([false, true, []]);
});

test("a lock is not taken over while another process is about to", () => {
  const { folder, path, leave } = site();
  leave(name, dead);
  leave(guard, alive);
  const first = folder.take(name);
  rmSync(path(guard));
  expect([first, folder.take(name)]).toEqual([false, true]);
});

test("so many owners that died while they took over are no accident, and are left alone", () => {
  const { folder, leave, names } = site();
  for (let guards = 0; guards < 20; guards++) leave(name + "~".repeat(guards), dead);
  expect([folder.take(name), names().length]).toEqual([false, 20]);
});

test("what could not be removed earlier is not in one's own way", () => {
  const { folder, path } = site();
  const [owner = ""] = readdirSync(path(".")).filter((each) => each.startsWith("owner"));
  linkSync(path(owner), path(name));
  expect([folder.take(name), folder.drop(name), folder.take(name)]).toEqual([true, true, true]);
});

test("when the folder was removed there is a new one", () => {
  const { folder, path, names } = site();
  folder.take(name);
  rmSync(path("."), { recursive: true });
  const dropped = folder.drop(name);
  expect([dropped, folder.take(name), names()]).toEqual([true, true, [name]]);
});

test("a lock that is surely ours is given back without a look at who else looks at it", () => {
  const { folder, leave, names } = site();
  folder.take(name);
  leave(guard, alive);
  expect([folder.drop(name), names()]).toEqual([true, [guard]]);
});

test("one that has no lock leaves nothing behind when it closes, and does not beat", () => {
  const { folder, path, leave } = site();
  leave(name, alive);
  const taken = folder.take(name);
  const before = vi.getTimerCount();
  folder.close();
  expect([taken, before, vi.getTimerCount(), readdirSync(path("."))]).toEqual([false, 1, 0, [name]]);
});

test("no descriptor is left open, whatever the lock is found to be", () => {
  const { folder, path, leave } = site();
  leave(name, alive);
  const open = (): number => readdirSync("/proc/self/fd").length;
  const before = open();
  for (let round = 0; round < 10; round++) folder.take(name);
  for (let round = 0; round < 10; round++) {
    rmSync(path("."), { recursive: true });
    folder.take(LockFolder.nameOf("other"));
    folder.drop(LockFolder.nameOf("other"));
  }
  expect(open()).toBe(before);
});

test("a sweep that is to end ends", async () => {
  const { folder, leave, names } = site();
  leave(name, dead);
  expect([await folder.sweep(AbortSignal.abort()), names()]).toEqual([0, [name]]);
});

test("a sweep removes what the dead left, and nothing else", async () => {
  const { folder, leave, names, path } = site();
  const locks = ["1", "2", "3", "4"].map((key) => LockFolder.nameOf(key));
  const [died = "", living = "", distant = "", half = ""] = locks;
  leave(died, dead);
  leave(`${half}~`, dead);
  leave(`${half}~~~`, dead);
  leave(living, alive);
  leave(distant, foreign);
  leave(`owner-${"0".repeat(24)}`, dead);
  leave(`owner-${"1".repeat(24)}`, alive);
  leave(`owner-${"2".repeat(24)}`, "");
  leave("something else", dead);
  folder.take(name);
  const { signal } = new AbortController();
  const unsettled = [await folder.sweep(signal)];
  const kept = [
    names(),
    readdirSync(path("."))
      .filter((each) => /^owner-(.)\1+$/.test(each))
      .toSorted(),
  ];
  wait(10_000);
  unsettled.push(await folder.sweep(signal));
  expect({ unsettled, kept, names: names() }).toEqual({
    unsettled: [2, 0],
    kept: [
      [distant, living, name, "something else"].toSorted(),
      [`owner-${"1".repeat(24)}`, `owner-${"2".repeat(24)}`],
    ],
    names: [living, name, "something else"].toSorted(),
  });
});
