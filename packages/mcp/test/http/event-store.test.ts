import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createEventPool, createEvents } from "../../src/http/event-store.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: 0 }));
afterEach(() => vi.useRealTimers());

const start = (maxBytes = 10_000, pool = createEventPool(1_000_000)) =>
  createEvents<object>({ maxBytes, maxAgeMs: 1_000, pool });

async function replayed({ store }: ReturnType<typeof start>, lastEventId: string) {
  const sent: [string, object][] = [];
  const stream = await store.replayEventsAfter(lastEventId, {
    send: async (id, message) => void sent.push([id, message]),
  });
  return { stream, sent };
}

describe("kept events", () => {
  test("are given again after a known one, of its own stream alone", async () => {
    const events = start();
    const [first] = [await events.store.storeEvent("a", {})];
    await events.store.storeEvent("b", { n: 1 });
    const second = await events.store.storeEvent("a", { n: 2 });
    const third = await events.store.storeEvent("a", { n: 3 });
    expect(await replayed(events, first)).toEqual({
      stream: "a",
      sent: [
        [second, { n: 2 }],
        [third, { n: 3 }],
      ],
    });
    expect(await replayed(events, third)).toEqual({ stream: "a", sent: [] });
    expect(await events.store.getStreamIdForEventId(second)).toBe("a");
  });

  test("never add up to more than the bound, the oldest going first", async () => {
    const events = start();
    const ids: string[] = [];
    for (let n = 0; n < 100; n += 1) {
      ids.push(await events.store.storeEvent("a", { text: "x".repeat(500) }));
      expect(events.bytes()).toBeLessThanOrEqual(10_000);
    }
    expect(await events.store.getStreamIdForEventId(ids[0]!)).toBeUndefined();
    expect(await events.store.getStreamIdForEventId(ids[99]!)).toBe("a");
    await expect(replayed(events, ids[0]!)).rejects.toThrow("no longer kept");
  });

  test("that are larger than the bound alone are not kept", async () => {
    const events = start();
    const id = await events.store.storeEvent("a", { text: "x".repeat(10_000) });
    expect([events.bytes(), await events.store.getStreamIdForEventId(id)]).toEqual([0, undefined]);
  });

  test("are let go when they have grown old", async () => {
    const events = start();
    const old = await events.store.storeEvent("a", { n: 1 });
    vi.setSystemTime(600);
    const young = await events.store.storeEvent("a", { n: 2 });
    vi.setSystemTime(1_100);
    events.prune();
    expect(await events.store.getStreamIdForEventId(old)).toBeUndefined();
    expect(await events.store.getStreamIdForEventId(young)).toBe("a");
  });
});

test("all stores together keep so many bytes, the oldest event of any store goes first, and a closed store counts nothing", async () => {
  const pool = createEventPool(5_000);
  const [left, right] = [start(10_000, pool), start(10_000, pool)];
  const event = { text: "x".repeat(800) };
  const first = await left.store.storeEvent("a", event);
  const second = await right.store.storeEvent("b", event);
  const third = await right.store.storeEvent("b", event);
  expect(left.bytes() + right.bytes()).toBeLessThanOrEqual(5_000);
  const kept = async (store: typeof left.store, id: string) => (await store.getStreamIdForEventId(id)) !== undefined;
  expect([await kept(left.store, first), await kept(right.store, second), await kept(right.store, third)]).toEqual([
    false,
    true,
    true,
  ]);
  right.close();
  const fourth = await left.store.storeEvent("a", event);
  await left.store.storeEvent("a", event);
  expect(await kept(left.store, fourth)).toBe(true);
});
