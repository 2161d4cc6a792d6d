import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTurns } from "../../src/program/turns.js";

const open = new AbortController().signal;

// Promise.withResolvers is not in Node 20.
function resolvers() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: () => resolve() };
}

function works(count: number) {
  const order: string[] = [];
  const gates = Array.from({ length: count }, () => resolvers());
  const work = (index: number) => async () => {
    order.push(`start ${index}`);
    await gates[index]?.promise;
    order.push(`end ${index}`);
    return index;
  };
  return { order, gates, work };
}

test("so many run at a time, the others in the order in which they came", async () => {
  const { order, gates, work } = works(4);
  const turns = createTurns(2);
  const all = Promise.all([0, 1, 2, 3].map((index) => turns.take(work(index), open)));
  await nextTurn();
  expect(order).toEqual(["start 0", "start 1"]);
  gates[1]?.resolve();
  await nextTurn();
  expect(order).toEqual(["start 0", "start 1", "end 1", "start 2"]);
  for (const { resolve } of gates) resolve();
  expect(await all).toEqual([0, 1, 2, 3]);
  expect(order).toHaveLength(8);
});

test("a failure gives its turn on", async () => {
  const turns = createTurns(1);
  const failing = turns.take(() => Promise.reject(new Error("no")), open);
  const next = turns.take(async () => "next", open);
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("next");
  expect(await turns.take(async () => "later", open)).toBe("later");
});

test("who gives up while waiting is told why, and takes nobody's turn", async () => {
  const { gates, work, order } = works(3);
  const turns = createTurns(1);
  const abort = new AbortController();
  const first = turns.take(work(0), open);
  const second = turns.take(work(1), abort.signal);
  const third = turns.take(work(2), open);
  abort.abort(new Error("enough"));
  await expect(second).rejects.toThrow("enough");
  for (const { resolve } of gates) resolve();
  expect(await Promise.all([first, third])).toEqual([0, 2]);
  expect(order).not.toContain("start 1");
});

test("who has given up before does not start", async () => {
  const turns = createTurns(1);
  await expect(turns.take(async () => "x", AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  expect(await turns.take(async () => "x", open)).toBe("x");
});
