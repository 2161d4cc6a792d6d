import { describe, expect, test } from "vitest";
import { createDemo, untilAborted } from "./demo.js";
import { connect } from "./in-memory.js";
import { later } from "./later.js";

describe("a cancelled request", () => {
  test("ends the handler, is recorded and gets no answer", async () => {
    const demo = createDemo();
    const started = later();
    demo.onSlow = async (context) => {
      started.resolve();
      await untilAborted(context);
    };
    await using connected = await connect(demo);
    const before = connected.sent.length;
    const cancel = new AbortController();
    const call = connected.client.callTool({ name: "linux_slow" }, undefined, { signal: cancel.signal });
    await started.promise;
    cancel.abort("enough");
    await expect(call).rejects.toThrow("enough");
    await connected.client.ping();
    expect(await connected.bound.running.settled(10_000)).toBe(true);
    expect(demo.records).toMatchObject([{ tool: "linux.slow", status: "CANCELLED" }]);
    // The ping's answer alone.
    expect(connected.sent.slice(before)).toMatchObject([{ result: {} }]);
  });

  test("does not touch another one", async () => {
    const demo = createDemo();
    const go = later();
    let running = 0;
    const both = later();
    demo.onSlow = async (context) => {
      running += 1;
      if (running === 2) both.resolve();
      await Promise.race([untilAborted(context), go.promise]);
    };
    await using connected = await connect(demo);
    const cancel = new AbortController();
    const first = connected.client.callTool({ name: "linux_slow" }, undefined, { signal: cancel.signal });
    const second = connected.client.callTool({ name: "linux_slow" });
    await both.promise;
    cancel.abort("enough");
    await expect(first).rejects.toThrow("enough");
    go.resolve();
    expect(await second).toMatchObject({ structuredContent: { done: true } });
  });
});

test("a connection that closes cancels what it left running", async () => {
  const demo = createDemo();
  const started = later();
  demo.onSlow = async (context) => {
    started.resolve();
    await untilAborted(context);
  };
  const connected = await connect(demo);
  const call = connected.client.callTool({ name: "linux_slow" });
  await started.promise;
  await connected.client.close();
  await expect(call).rejects.toThrow("Connection closed");
  expect(await connected.bound.running.settled(10_000)).toBe(true);
  expect(demo.records).toMatchObject([{ tool: "linux.slow", status: "CANCELLED" }]);
});
