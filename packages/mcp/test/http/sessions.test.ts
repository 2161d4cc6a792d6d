import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createHttpMcp, type HttpMcp } from "../../src/index.js";
import { createDemo, untilAborted, type DemoOptions } from "../demo.js";
import { later } from "../later.js";
import { ask, messagesOf, open, rpc, toolCall } from "./ask.js";

const PING = rpc(2, "ping");
const statusOf = async (mcp: HttpMcp, session: string) => {
  const response = await ask(mcp, { session, body: PING });
  await response.text();
  return response.status;
};

function start(options: DemoOptions = {}) {
  const demo = createDemo(options);
  const started = later();
  demo.onSlow = async (context) => {
    started.resolve();
    await untilAborted(context);
  };
  return { demo, mcp: createHttpMcp(demo.options), started: started.promise };
}

beforeEach(() => vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now: 1_000_000 }));
afterEach(() => vi.useRealTimers());

describe("the bound on sessions", () => {
  const two = { mcp: { session: { max_sessions: 2 } } };

  test("is kept by ending the one that was not used for longest", async () => {
    const { mcp } = start(two);
    const first = await open(mcp);
    vi.setSystemTime(1_000_010);
    const second = await open(mcp);
    vi.setSystemTime(1_000_020);
    expect(await statusOf(mcp, first)).toBe(200);
    vi.setSystemTime(1_000_030);
    const third = await open(mcp);
    expect(mcp.sessions()).toBe(2);
    expect([await statusOf(mcp, first), await statusOf(mcp, second), await statusOf(mcp, third)]).toEqual([
      200, 404, 200,
    ]);
    await mcp.close();
  });

  test("spares one that listens as long as another does not", async () => {
    const { mcp } = start(two);
    const listening = await open(mcp);
    const stream = await ask(mcp, { method: "GET", session: listening });
    vi.setSystemTime(2_000_000);
    const silent = await open(mcp);
    await open(mcp);
    expect([await statusOf(mcp, listening), await statusOf(mcp, silent)]).toEqual([200, 404]);
    await stream.body?.cancel();
    await mcp.close();
  });

  test("never ends one with a running call: the next client is told to come back", async () => {
    const { mcp, started } = start({ mcp: { session: { max_sessions: 1 } } });
    const busy = await open(mcp);
    const running = await ask(mcp, { session: busy, body: toolCall(3, "linux_slow") });
    await started;
    const refused = await ask(mcp, { body: rpc(1, "initialize") });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"]);
    expect(await refused.json()).toMatchObject({ error: { data: { code: "RATE_LIMITED", retry_after_ms: 2000 } } });
    expect(await statusOf(mcp, busy)).toBe(200);
    await mcp.close();
    expect(await messagesOf(running)).toMatchObject([{ id: 3, result: { structuredContent: { code: "CANCELLED" } } }]);
  });

  test("holds when many open at once", async () => {
    const { mcp } = start(two);
    await Promise.all(Array.from({ length: 20 }, () => open(mcp)));
    expect(mcp.sessions()).toBe(2);
    await mcp.close();
  });

  test("is not touched by requests that open nothing", async () => {
    const { mcp } = start(two);
    const kept = [await open(mcp), await open(mcp)];
    for (let count = 0; count < 10; count += 1) await (await ask(mcp, { body: PING })).text();
    expect([mcp.sessions(), await statusOf(mcp, kept[0]!), await statusOf(mcp, kept[1]!)]).toEqual([2, 200, 200]);
    await mcp.close();
  });
});

describe("an idle session", () => {
  const idle = { mcp: { session: { idle_timeout_sec: 60 } } };

  test("ends after its time", async () => {
    const { mcp } = start(idle);
    const session = await open(mcp);
    vi.advanceTimersByTime(50_000);
    expect(await statusOf(mcp, session)).toBe(200);
    vi.advanceTimersByTime(50_000);
    expect(mcp.sessions()).toBe(1);
    vi.advanceTimersByTime(20_000);
    expect([mcp.sessions(), await statusOf(mcp, session)]).toEqual([0, 404]);
  });

  test("is none while its client listens, and counts from when it stops", async () => {
    const { mcp } = start(idle);
    const session = await open(mcp);
    const stream = await ask(mcp, { method: "GET", session });
    vi.advanceTimersByTime(600_000);
    expect(mcp.sessions()).toBe(1);
    await stream.body?.cancel();
    vi.advanceTimersByTime(50_000);
    expect(mcp.sessions()).toBe(1);
    vi.advanceTimersByTime(30_000);
    expect(mcp.sessions()).toBe(0);
  });

  test("is none while a call runs, even with nobody connected", async () => {
    const { mcp, started } = start(idle);
    const session = await open(mcp);
    const running = await ask(mcp, { session, body: toolCall(3, "linux_slow") });
    await started;
    await running.body?.cancel();
    vi.advanceTimersByTime(600_000);
    expect(mcp.sessions()).toBe(1);
    await mcp.close();
  });

  test("leaves no timer behind", async () => {
    const { mcp } = start(idle);
    await open(mcp);
    await mcp.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
