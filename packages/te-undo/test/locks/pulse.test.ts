import { uptime } from "node:os";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pulse, Sightings } from "../../src/locks/pulse.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

function pulseOf(isBusy: () => boolean): { pulse: Pulse; beats: () => number } {
  let beats = 0;
  const pulse = new Pulse({ everyMs: 1000, patienceMs: 10_000, beat: () => (beats += 1), isBusy });
  return { pulse, beats: () => beats };
}

test("it beats at once when work begins, once a second while there is work, and not at rest", () => {
  let busy = true;
  const { pulse, beats } = pulseOf(() => busy);
  pulse.quicken();
  const seen = [beats()];
  vi.advanceTimersByTime(3000);
  seen.push(beats());
  busy = false;
  vi.advanceTimersByTime(5000);
  seen.push(beats(), vi.getTimerCount());
  expect(seen).toEqual([1, 4, 4, 0]);
});

test("work that begins anew within a second costs no further beat, after a rest it does", () => {
  const { pulse, beats } = pulseOf(() => false);
  pulse.quicken();
  vi.advanceTimersByTime(900);
  pulse.quicken();
  const soon = beats();
  vi.advanceTimersByTime(1100);
  pulse.quicken();
  expect([soon, beats()]).toEqual([1, 2]);
});

test("it keeps no process alive", () => {
  vi.useRealTimers();
  const timers = vi.spyOn(globalThis, "setInterval");
  const { pulse } = pulseOf(() => true);
  pulse.quicken();
  expect(timers.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false]);
  pulse.stop();
  vi.restoreAllMocks();
});

test("a standstill is known as one, while it lasts and afterwards, but not to work that began later", () => {
  const { pulse } = pulseOf(() => true);
  pulse.quicken();
  const begun = performance.now();
  vi.advanceTimersByTime(4000);
  const beating = pulse.hasPausedSince(begun);
  // As in a process that is stopped: time goes on, and no timer fires.
  pulse.stop();
  vi.advanceTimersByTime(5000);
  const still = pulse.hasPausedSince(begun);
  pulse.quicken();
  expect([beating, still, pulse.hasPausedSince(begun), pulse.hasPausedSince(performance.now())]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

const file = (mtimeMs: number) => ({ dev: 1n, ino: 1n, mtimeNs: BigInt(Math.round(mtimeMs)) * 1_000_000n });

test("a file is still once it has been seen unchanged for long enough, and not before", () => {
  const sightings = new Sightings(10_000);
  const first = file(Date.now());
  const beaten = file(Date.now() + 1);
  const another = { ...beaten, ino: 2n };
  const seen = [
    [0, first],
    [9999, first],
    [1, first],
    [9999, beaten],
    [9999, beaten],
    [1, another],
    [9999, another],
  ] as const;
  const still = seen.map(([after, what]) => {
    vi.advanceTimersByTime(after);
    return sightings.isStill("a", what);
  });
  expect(still).toEqual([false, false, true, false, false, false, false]);
});

test("a last beat from before this machine's start is enough, unless clocks that differ a little explain it", () => {
  const booted = Date.now() - uptime() * 1000;
  const sightings = new Sightings(10_000);
  expect([sightings.isStill("a", file(booted - 11_000)), sightings.isStill("b", file(booted - 5000))]).toEqual([
    true,
    false,
  ]);
});

test("what was seen longest ago is forgotten when there is too much", () => {
  const sightings = new Sightings(10_000);
  const what = file(Date.now());
  for (let index = 0; index <= 10_000; index++) sightings.isStill(String(index), what);
  vi.advanceTimersByTime(10_000);
  expect(["10000", "1", "0"].map((name) => sightings.isStill(name, what))).toEqual([true, true, false]);
});
