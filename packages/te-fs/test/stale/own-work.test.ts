import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OwnWork } from "../../src/stale/own-work.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const at = (time: number): void => void vi.setSystemTime(1_000_000 + time);
const covers = (work: OwnWork, ...times: readonly number[]): boolean[] =>
  times.map((time) => work.covers(BigInt(Math.round((1_000_000 + time) * 1e6))));

test("a command covers what changes from its start to its end, and what a clock behind or cut makes of these", () => {
  const work = new OwnWork();
  at(100);
  const command = work.begin();
  const running = covers(work, 89, 90, 100, 5000);
  at(200);
  command[Symbol.dispose]();
  at(300);
  command[Symbol.dispose]();
  expect([running, covers(work, 89, 90, 201, 201.1)]).toEqual([
    [false, true, true, true],
    [false, true, true, false],
  ]);
});

test("a clock that is set back while a command runs leaves all between as its own", () => {
  const work = new OwnWork();
  at(500);
  const command = work.begin();
  at(100);
  command[Symbol.dispose]();
  expect(covers(work, 89, 90, 501, 502)).toEqual([false, true, true, false]);
});

test("a clock that is set back between two commands makes the first one no shorter", () => {
  const work = new OwnWork();
  for (const [from, to] of [
    [0, 1000],
    [500, 600],
  ] as const) {
    at(from);
    const command = work.begin();
    at(to);
    command[Symbol.dispose]();
  }
  expect(covers(work, 0, 1000, 1002)).toEqual([true, true, false]);
});

function oneAfterTheOther(count: number, everyMs: number): OwnWork {
  const work = new OwnWork();
  for (let index = 0; index < count; index++) {
    at(index * everyMs);
    work.begin()[Symbol.dispose]();
  }
  return work;
}

test("of very many commands the last ones are remembered", () => {
  expect(covers(oneAfterTheOther(1000, 100), 0, 99_900)).toEqual([true, true]);
  expect(covers(oneAfterTheOther(1001, 100), 0, 50_000, 50_100, 100_000)).toEqual([false, false, true, true]);
});

test("commands that follow each other within the clock's grain are one", () => {
  expect(covers(oneAfterTheOther(3000, 5), 0, 7500, 14_995)).toEqual([true, true, true]);
});

test("any commands, one after the other or at once, cover what they cover one by one", () => {
  const span = fc.record({ from: fc.nat(3000), length: fc.nat(400) });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
      const work = new OwnWork();
      const events = spans.flatMap(({ from, length }, index) => [
        { at: from, index, ends: false },
        { at: from + length, index, ends: true },
      ]);
      const running = new Map<number, Disposable>();
      for (const { at: time, index, ends } of events.toSorted(
        (a, b) => a.at - b.at || Number(a.ends) - Number(b.ends),
      )) {
        at(time);
        if (ends) running.get(index)?.[Symbol.dispose]();
        else running.set(index, work.begin());
      }
      for (let time = 0; time < 3600; time += 7) {
        const exact = spans.some(({ from, length }) => time >= from - 10 && time <= from + length + 1);
        // Gaps that are shorter than the clock's grain are closed.
        const near = spans.some(({ from, length }) => time >= from - 10 && time <= from + length + 10);
        const [covered] = covers(work, time);
        expect([exact && !covered, covered && !near]).toEqual([false, false]);
      }
    }),
    { numRuns: 200 },
  );
});
