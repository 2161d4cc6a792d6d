import { expect, test } from "vitest";
import { createRunning } from "../src/endpoint/running.js";

const state = async ({ signal }: AbortController) => signal.aborted;

test("work that was cancelled before it began is told so", async () => {
  const { run } = createRunning();
  expect([await run(AbortSignal.abort(), state), await run(new AbortController().signal, state)]).toEqual([
    true,
    false,
  ]);
});

test("work that fails is over", async () => {
  const running = createRunning();
  const failing = running.run(new AbortController().signal, async () => {
    throw new TypeError("no");
  });
  expect(running.size()).toBe(1);
  await expect(failing).rejects.toThrow("no");
  expect([running.size(), await running.settled(0)]).toEqual([0, true]);
});

test("nobody waits longer than told for work that does not end", async () => {
  const running = createRunning();
  void running.run(new AbortController().signal, () => new Promise(() => {}));
  expect(await running.settled(1)).toBe(false);
  expect(await running.settled(2 ** 30, AbortSignal.abort())).toBe(false);
});
