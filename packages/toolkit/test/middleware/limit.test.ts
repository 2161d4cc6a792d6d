import { expect, test } from "vitest";
import { from, gateway, pipeline, toolNamed } from "../fixture.js";

function busyTool() {
  const started: string[] = [];
  const gates: ReturnType<typeof gateway>[] = [];
  const tool = toolNamed("busy", async ({ text }) => {
    started.push(text);
    const gate = gateway();
    gates.push(gate);
    await gate.opened;
    return { said: text };
  });
  return { tool, started, gates };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("calls beyond the concurrency wait in order, and one more than the queue is refused", async () => {
  const { tool, started, gates } = busyTool();
  const { dispatcher } = pipeline([tool], { concurrency: 1, queue: 1 });
  const first = dispatcher.call("busy", { text: "1" }, from());
  const second = dispatcher.call("busy", { text: "2" }, from());
  await expect(dispatcher.call("busy", { text: "3" }, from())).rejects.toMatchObject({
    code: "RATE_LIMITED",
    details: { retry_after_ms: 60_000 },
  });
  await turn();
  expect(started).toEqual(["1"]);
  gates[0]?.open();
  await first;
  await turn();
  expect(started).toEqual(["1", "2"]);
  gates[1]?.open();
  expect((await second).payload).toEqual({ said: "2" });
});

test("tokens do not take each other's slots", async () => {
  const { tool, started, gates } = busyTool();
  const { dispatcher } = pipeline([tool], { concurrency: 1, queue: 0 });
  const calls = [
    dispatcher.call("busy", { text: "a" }, from("one")),
    dispatcher.call("busy", { text: "b" }, from("two")),
  ];
  await turn();
  expect(started).toEqual(["a", "b"]);
  for (const gate of gates) gate.open();
  await Promise.all(calls);
});

test("a waiting call that is cancelled or waits too long leaves the queue", async () => {
  const { tool, gates } = busyTool();
  const { dispatcher } = pipeline([tool], { concurrency: 1, queue: 1, waitMs: 20 });
  const first = dispatcher.call("busy", {}, from());
  const abort = new AbortController();
  const cancelled = dispatcher.call("busy", {}, from("t", { signal: abort.signal }));
  abort.abort();
  await expect(cancelled).rejects.toMatchObject({ code: "CANCELLED" });
  await expect(dispatcher.call("busy", {}, from())).rejects.toMatchObject({ code: "RATE_LIMITED" });
  gates[0]?.open();
  await first;
});

test("a failing call gives its slot back", async () => {
  const crash = toolNamed("crash", () => Promise.reject(new Error("x")));
  const { dispatcher } = pipeline([crash], { concurrency: 1, queue: 0 });
  for (const _ of [1, 2, 3]) {
    await expect(dispatcher.call("crash", {}, from())).rejects.toMatchObject({ code: "INTERNAL" });
  }
});
