import { getEventListeners } from "node:events";
import { OpsError } from "@llmc/errors";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { nap } from "../../src/locks/nap.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test.each([true, false])("a nap keeps the process alive if somebody waits for its end: %s", (held) => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  void nap(1000, { held });
  expect(timers.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([held]);
  vi.restoreAllMocks();
});

test("it ends with its signal, at once if that was aborted before, and leaves nothing behind", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const reason = new OpsError("TIMEOUT", "too late");
  const slept = nap(1000, { signal, held: true });
  vi.advanceTimersByTime(1000);
  await slept;
  const after = getEventListeners(signal, "abort").length;
  const ended = nap(1000, { signal, held: true });
  controller.abort(reason);
  await expect(ended).rejects.toBe(reason);
  await expect(nap(1000, { signal, held: true })).rejects.toBe(reason);
  expect([after, vi.getTimerCount()]).toEqual([0, 0]);
});
