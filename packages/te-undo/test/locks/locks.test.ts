import { getEventListeners } from "node:events";
import { readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { OpsError, WriteFailedError } from "@llmc/errors";
import fc from "fast-check";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createLocks, type OpenLocks } from "../../src/locks/locks.js";
import { LockFolder } from "../../src/locks/lock-folder.js";
import { ownMark } from "../../src/locks/process-mark.js";
import { bundled, run, type Running } from "./programs.js";
import { scratch } from "./scratch.js";

interface Site {
  readonly dir: string;
  readonly locks: OpenLocks;
  readonly problems: string[];
  /** What lies in the lock folder; owners by that word alone. */
  left(): string[];
}

function site(waitMs = 0, dir = scratch()): Site {
  const problems: string[] = [];
  const locks = createLocks({ dir, waitMs, onProblem: (message) => problems.push(message) });
  onTestFinished(() => locks.close());
  const left = (): string[] =>
    readdirSync(join(dir, "locks"))
      .map((name) => name.replace(/-.*/, "-"))
      .toSorted();
  return { dir, locks, problems, left };
}

const name = LockFolder.nameOf("key");
const plain = { shown: "/data/f" };

/** A lock whose owner left this text. */
function leave(dir: string, text: string, lock = name): string {
  const path = join(dir, "locks", lock);
  writeFileSync(path, text);
  return path;
}

async function holder(dir: string, key = "key"): Promise<Running> {
  const other = run([process.execPath, await bundled("hold"), dir, key]);
  await other.says("ready");
  return other;
}

const settled = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "held",
    (thrown: unknown) => thrown,
  );
const endedMark = ownMark().replace(/\d+$/, "1");
const foreignMark = ownMark().replace("pid:[", "pid:[1");

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each([
  ["alone", null],
  ["with others", scratch],
])("%s: who comes first has it first, and one at a time", async (_, dir) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ key: fc.nat(2), turns: fc.nat(3), gives: fc.boolean() }), { maxLength: 25 }),
      async (asks) => {
        const locks = createLocks({ dir: dir?.() ?? null, waitMs: 1000 });
        const inside = new Set<number>();
        const order = new Map<number, number[]>();
        const expected = new Map<number, number[]>();
        await Promise.all(
          asks.map(async ({ key, turns, gives }, index) => {
            const controller = new AbortController();
            const held = locks.hold(String(key), { shown: "f", signal: controller.signal });
            const isFirst = !expected.has(key);
            if (!isFirst && gives) {
              controller.abort();
              expect(await settled(held)).toMatchObject({ code: "CANCELLED" });
              return;
            }
            expected.set(key, [...(expected.get(key) ?? []), index]);
            await using _lock = await held;
            expect(inside.has(key)).toBe(false);
            inside.add(key);
            order.set(key, [...(order.get(key) ?? []), index]);
            for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
            inside.delete(key);
          }),
        );
        expect(order).toEqual(expected);
        locks.close();
      },
    ),
    { numRuns: 60 },
  );
});

test("other places are not waited for", async () => {
  const { locks } = site();
  await using _one = await locks.hold("key", plain);
  await using _other = await locks.hold("other", plain);
  expect(await settled(locks.hold("key", { ...plain, signal: AbortSignal.abort() }))).toMatchObject({
    code: "CANCELLED",
  });
});

test("a wait ends with its signal, for the signal's own reason if that is one of ours, and the next one is not kept", async () => {
  const { locks } = site();
  const first = await locks.hold("key", plain);
  const [deadline, cancel] = [new AbortController(), new AbortController()];
  const waits = [deadline, cancel].map(({ signal }) => settled(locks.hold("key", { ...plain, signal })));
  const last = locks.hold("key", plain);
  const reason = new OpsError("TIMEOUT", "too late");
  deadline.abort(reason);
  cancel.abort();
  expect(await Promise.all(waits)).toEqual([reason, expect.objectContaining({ code: "CANCELLED" })]);
  await first[Symbol.asyncDispose]();
  await (await last)[Symbol.asyncDispose]();
});

test("a lock that is given back twice is given back once", async () => {
  const { locks, left } = site();
  const first = await locks.hold("key", plain);
  await first[Symbol.asyncDispose]();
  await using _second = await locks.hold("key", plain);
  await first[Symbol.asyncDispose]();
  expect(left()).toEqual([name, "owner-"]);
});

test("while it is held it lies in a private folder and says whose it is; afterwards nothing is left", async () => {
  const { dir, locks, left } = site();
  const lock = await locks.hold("key", plain);
  expect([left(), statSync(join(dir, "locks")).mode & 0o777, statSync(join(dir, "locks", name)).mode & 0o777]).toEqual([
    [name, "owner-"],
    0o700,
    0o600,
  ]);
  expect(readFileSync(join(dir, "locks", name), "latin1")).toBe(`${ownMark()}\n`);
  locks.close();
  expect(left()).toEqual([name, "owner-"]);
  await lock[Symbol.asyncDispose]();
  expect(left()).toEqual([]);
});

test("the data dir is made where it is missing, and a lock folder that others could look into is closed to them", async () => {
  const dir = join(scratch(), "not", "yet");
  const one = site(0, dir);
  await (await one.locks.hold("key", plain))[Symbol.asyncDispose]();
  expect([one.problems, statSync(dir).mode & 0o777]).toEqual([[], 0o700]);
});

test("what another live process writes is waited for, no longer than was said, and then named", async () => {
  const { dir, locks } = site(30);
  const other = await holder(dir);
  const waits = [1, 2, 3].map(() => settled(locks.hold("key", plain)));
  const refusal = new WriteFailedError("/data/f", "another server process is writing it", {
    hint: "Try again in a moment.",
  });
  expect(await Promise.all(waits)).toEqual([refusal, refusal, refusal]);
  other.child.stdin?.write("\n");
  await other.says("dropped");
  await using _lock = await locks.hold("key", plain);
});

test("it is had as soon as the other process gives it back", async () => {
  const { dir, locks } = site(20_000);
  const other = await holder(dir);
  const held = locks.hold("key", plain);
  other.child.stdin?.write("\n");
  await other.says("dropped");
  await using _lock = await held;
});

test("waiting for another process ends with the signal too", async () => {
  const { dir, locks } = site(20_000);
  await holder(dir);
  const controller = new AbortController();
  const held = settled(locks.hold("key", { ...plain, signal: controller.signal }));
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort();
  expect(await held).toMatchObject({ code: "CANCELLED" });
});

test("all in one line wait for another process together, not one after the other", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { dir, locks } = site(1000);
  const other = await holder(dir);
  const waits = [1, 2].map(() => settled(locks.hold("key", plain)));
  await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(600);
  const late = settled(locks.hold("key", plain));
  vi.advanceTimersByTime(400);
  expect(await Promise.all(waits)).toEqual([expect.any(WriteFailedError), expect.any(WriteFailedError)]);
  // The late one has its own time.
  await other.kill();
  expect(await late).toBe("held");
});

test("time in which others of this process had the lock is no time of waiting for another process", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { dir, locks } = site(1000);
  const path = join(dir, "locks", name);
  const other = await holder(dir);
  const first = locks.hold("key", plain);
  const second = settled(locks.hold("key", plain));
  await new Promise((resolve) => setImmediate(resolve));
  await other.kill();
  const lock = await first;
  vi.advanceTimersByTime(6000);
  // Somebody takes over in the standstill, and the one in line has to wait for him.
  rmSync(path);
  leave(dir, ownMark());
  await lock[Symbol.asyncDispose]();
  await new Promise((resolve) => setImmediate(resolve));
  rmSync(path);
  expect(await second).toBe("held");
});

test("a lock is asked for often, however long the wait has been", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const { dir, locks } = site(20_000);
  await (await locks.hold("other", plain))[Symbol.asyncDispose]();
  leave(dir, ownMark());
  const held = settled(locks.hold("key", plain));
  await vi.advanceTimersByTimeAsync(10_000);
  const asked = vi.spyOn(LockFolder.prototype, "take");
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked.mock.calls.length).toBeGreaterThan(30);
  rmSync(join(dir, "locks", name));
  await vi.advanceTimersByTimeAsync(100);
  expect(await held).toBe("held");
});

test("after a standstill it is given back as soon as nobody looks into it any more", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { dir, locks, left } = site(1000);
  const lock = await locks.hold("key", plain);
  vi.advanceTimersByTime(6000);
  const guard = leave(dir, ownMark(), `${name}~`);
  const dropped = lock[Symbol.asyncDispose]();
  await new Promise((resolve) => setImmediate(resolve));
  const before = left();
  rmSync(guard);
  await dropped;
  expect([before, left()]).toEqual([[name, `${name}~`, "owner-"], ["owner-"]]);
});

test("a signal that outlives its waits is left as it was", async () => {
  const { signal } = new AbortController();
  const { dir, locks } = site(20_000);
  const first = await locks.hold("key", plain);
  const second = locks.hold("key", { ...plain, signal });
  await first[Symbol.asyncDispose]();
  await (await second)[Symbol.asyncDispose]();
  const path = leave(dir, ownMark());
  const third = locks.hold("key", { ...plain, signal });
  await new Promise((resolve) => setImmediate(resolve));
  rmSync(path);
  await (await third)[Symbol.asyncDispose]();
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("two of one process keep each other out as two processes do", async () => {
  const { dir, locks } = site();
  const other = site(0, dir);
  await using _lock = await other.locks.hold("key", plain);
  expect(await settled(locks.hold("key", plain))).toBeInstanceOf(WriteFailedError);
});

test("a place is had at once where nobody holds it, waits for it, or holds it in another process", async () => {
  const { dir, locks, left } = site();
  const drop = locks.holdNow("key");
  expect([left(), locks.holdNow("key")]).toEqual([[name, "owner-"], undefined]);
  const second = locks.hold("key", plain);
  drop?.();
  await (await second)[Symbol.asyncDispose]();
  expect(left()).toEqual(["owner-"]);
  const other = site(0, dir).locks;
  const held = await other.hold("key", plain);
  expect(locks.holdNow("key")).toBeUndefined();
  await held[Symbol.asyncDispose]();
  locks.holdNow("key")?.();
  await nextTurn();
  expect(left().filter((each) => each !== "owner-")).toEqual([]);
});

test("a place that was had at once is given back when the event loop turns, and is had again before", async () => {
  const { dir, locks, left } = site();
  const other = site(0, dir).locks;
  const all = (): string[] => left().filter((each) => each !== "owner-");
  for (let round = 0; round < 3; round += 1) locks.holdNow("key")?.();
  expect([all(), other.holdNow("key")]).toEqual([[name], undefined]);
  await (await locks.hold("key", plain))[Symbol.asyncDispose]();
  expect(all()).toEqual([]);
  locks.holdNow("key")?.();
  await nextTurn();
  expect(all()).toEqual([]);
  other.holdNow("key")?.();
  expect(locks.holdNow("key")).toBeUndefined();
  // Of many that are done in one turn only few are kept.
  for (let at = 0; at < 20; at += 1) locks.holdNow(`key ${at}`)?.();
  expect(all().length).toBeLessThan(10);
  for (const each of [locks, other]) each.close();
  expect(left()).toEqual([]);
});

test("a place that was kept through a standstill is taken anew", async () => {
  const { dir, locks } = site();
  locks.holdNow("key")?.();
  // Long enough for others to take us for dead, and to have the place themselves.
  vi.spyOn(performance, "now").mockImplementation(() => 1e9);
  rmSync(join(dir, "locks", name));
  leave(dir, ownMark());
  expect(locks.holdNow("key")).toBeUndefined();
  rmSync(join(dir, "locks", name));
  const again = locks.holdNow("key");
  expect(again).toBeDefined();
  again?.();
});

test.each([
  ["killed", async (dir: string) => await (await holder(dir)).kill()],
  ["gone while another got its pid", async (dir: string) => void leave(dir, endedMark)],
  [
    "gone in the middle of taking over from another",
    async (dir: string) => {
      leave(dir, endedMark);
      leave(dir, endedMark, `${name}~`);
      leave(dir, endedMark, `${name}~~`);
    },
  ],
  [
    "of before the machine's last start",
    async (dir: string) => {
      const path = leave(dir, foreignMark);
      utimesSync(path, 1000, 1000);
    },
  ],
])("the lock of an owner that is %s is taken over at once", async (_, die) => {
  const { dir, locks, left, problems } = site();
  await (await locks.hold("other", plain))[Symbol.asyncDispose]();
  await die(dir);
  expect(left()).toContain(name);
  const lock = await locks.hold("key", plain);
  expect(readFileSync(join(dir, "locks", name), "latin1")).toBe(`${ownMark()}\n`);
  await lock[Symbol.asyncDispose]();
  expect([left().filter((each) => each !== "owner-"), problems]).toEqual([[], []]);
});
