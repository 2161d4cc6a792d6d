import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { createHttpMcp } from "../../src/index.js";
import { createDemo, untilAborted, type DemoOptions } from "../demo.js";
import { later } from "../later.js";
import { ask, eventsOf, messagesOf, open, toolCall } from "./ask.js";

/** A session with a slow call running whose client has read the first event of its stream and then lost it. */
async function broken(options: DemoOptions = {}) {
  const demo = createDemo(options);
  const started = later();
  const go = later();
  const cancelled = later();
  demo.onSlow = async (context) => {
    started.resolve();
    context.signal.addEventListener("abort", cancelled.resolve);
    await Promise.race([go.promise, untilAborted(context)]);
  };
  const mcp = createHttpMcp(demo.options);
  const session = await open(mcp);
  const stream = eventsOf(await ask(mcp, { session, body: toolCall(3, "linux_slow") }));
  const { value: first } = await stream.next();
  await started.promise;
  await stream.return(undefined);
  const resume = (id = first?.id ?? "") => ask(mcp, { method: "GET", session, headers: { "last-event-id": id } });
  return { demo, mcp, session, go, cancelled: cancelled.promise, resume };
}

describe("a connection that broke", () => {
  test("does not end its call, whose answer the client can come back for", async () => {
    const { mcp, go, resume } = await broken();
    const again = await resume();
    go.resolve();
    expect(await messagesOf(again)).toMatchObject([{ id: 3, result: { structuredContent: { done: true } } }]);
    await mcp.close();
  });

  test("can be taken up again after the answer was made", async () => {
    const { demo, mcp, go, resume } = await broken();
    go.resolve();
    while (demo.records.length === 0) await nextTurn();
    const again = eventsOf(await resume());
    const { value } = await again.next();
    expect(JSON.parse(value?.data ?? "")).toMatchObject({ id: 3, result: { structuredContent: { done: true } } });
    await again.return(undefined);
    await mcp.close();
  });

  test("and is not taken up again ends its call: the client has vanished", async () => {
    const { demo, mcp, cancelled } = await broken({ timing: { abandonMs: 1 } });
    await cancelled;
    while (demo.records.length === 0) await nextTurn();
    expect(demo.records).toMatchObject([{ tool: "linux.slow", status: "CANCELLED" }]);
    await mcp.close();
  });

  test("and is taken up again in time goes on as if nothing had been", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { mcp, go, resume } = await broken({ timing: { abandonMs: 1_000 } });
    vi.advanceTimersByTime(900);
    const again = await resume();
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    // Time for a cancellation to come through, if there was one.
    await nextTurn();
    go.resolve();
    expect(await messagesOf(again)).toMatchObject([{ id: 3, result: { structuredContent: { done: true } } }]);
    await mcp.close();
  });

  test("with an event that is not kept is refused, and the hint says what to do", async () => {
    const { mcp, resume } = await broken();
    const refused = await resume("e999");
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: { data: { code: "BAD_ARGS", hint: "The event is no longer kept; repeat the call." } },
    });
    await mcp.close();
  });
});

test("a stream tells when to come back, and comments keep it open", async () => {
  const mcp = createHttpMcp(createDemo({ timing: { keepAliveMs: 1, retryMs: 1234 } }).options);
  const session = await open(mcp);
  const answered = await (await ask(mcp, { session, body: toolCall(3, "plain") })).text();
  expect(answered).toContain("retry: 1234\n");
  const listening = eventsOf(await ask(mcp, { method: "GET", session }));
  expect((await listening.next()).value?.data).toBe(": keepalive");
  await listening.return(undefined);
  await mcp.close();
});
