import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createProgress, type ProgressUpdate } from "../src/endpoint/progress.js";
import { createDemo } from "./demo.js";
import { connect } from "./in-memory.js";
import { later } from "./later.js";

describe("the progress of a call", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => vi.useRealTimers());

  const start = () => {
    const sent: ProgressUpdate[] = [];
    const progress = createProgress((update) => sent.push(update), { heartbeatMs: 10_000, progressGapMs: 100 });
    return { sent, ...progress };
  };

  test("is told every ten seconds of a silent handler", () => {
    const { sent, stop } = start();
    vi.advanceTimersByTime(30_000);
    stop();
    expect(sent).toEqual([
      { progress: 10, message: "still running, 10 s" },
      { progress: 20, message: "still running, 20 s" },
      { progress: 30, message: "still running, 30 s" },
    ]);
  });

  test("is the handler's own, and then the heartbeat waits for ten silent seconds", () => {
    const { sent, report, stop } = start();
    vi.advanceTimersByTime(9_000);
    report("half of it");
    vi.advanceTimersByTime(10_000);
    stop();
    expect(sent).toEqual([
      { progress: 9, message: "half of it" },
      { progress: 19, message: "still running, 19 s" },
    ]);
  });

  test("of a chatty handler is sent at most once in the gap, the newest message last", () => {
    const { sent, report, stop } = start();
    for (let step = 0; step < 1000; step += 1) {
      report(`step ${step}`);
      vi.advanceTimersByTime(1);
    }
    vi.advanceTimersByTime(100);
    stop();
    expect(sent.length).toBe(11);
    expect(sent.at(0)).toEqual({ progress: expect.any(Number) as unknown, message: "step 0" });
    expect(sent.at(-1)).toEqual({ progress: 1, message: "step 999" });
  });

  test("always rises", () => {
    const { sent, report, stop } = start();
    report("a");
    vi.advanceTimersByTime(100);
    report("b");
    vi.advanceTimersByTime(25_000);
    stop();
    const values = sent.map(({ progress }) => progress);
    expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b));
    expect(values.length).toBe(4);
  });

  test("ends with the call, even for a message that was waiting", () => {
    const { sent, report, stop } = start();
    report("a");
    report("b");
    stop();
    report("c");
    vi.advanceTimersByTime(60_000);
    expect(sent.map(({ message }) => message)).toEqual(["a"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("takes no word after its end", () => {
    const { sent, report, stop } = start();
    stop();
    report("late");
    expect([sent, vi.getTimerCount()]).toEqual([[], 0]);
  });

  test("carries no more of a message than a line", () => {
    const { sent, report, stop } = start();
    report("x".repeat(10_000));
    stop();
    expect(sent[0]?.message).toHaveLength(500);
  });
});

describe("a client", () => {
  test("is told nothing more once it has its answer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const demo = createDemo();
    demo.onSlow = async ({ progress }) => progress("first words");
    await using connected = await connect(demo);
    await connected.client.callTool({ name: "linux_slow" }, undefined, { onprogress: () => {} });
    vi.advanceTimersByTime(59_000);
    vi.useRealTimers();
    expect(connected.sent.filter(({ method }) => method === "notifications/progress")).toHaveLength(1);
  });

  test("that gives a token is told the handler's words and the heartbeat, before the answer", async () => {
    const demo = createDemo({ timing: { heartbeatMs: 1, progressGapMs: 0 } });
    const beats = later();
    demo.onSlow = async ({ progress }) => {
      progress("first words");
      await beats.promise;
    };
    await using connected = await connect(demo);
    const seen: string[] = [];
    await connected.client.callTool({ name: "linux_slow" }, undefined, {
      onprogress: ({ message }) => {
        seen.push(message ?? "");
        if (seen.length === 3) beats.resolve();
      },
    });
    expect(seen.slice(0, 3)).toEqual(["first words", "still running, 0 s", "still running, 0 s"]);
    const methods = connected.sent.map((message) => message["method"] ?? "answer");
    expect(methods.lastIndexOf("notifications/progress")).toBeLessThan(methods.lastIndexOf("answer"));
  });

  test("that gives none is told nothing", async () => {
    const demo = createDemo({ timing: { heartbeatMs: 1, progressGapMs: 0 } });
    demo.onSlow = async ({ progress }) => {
      for (const step of ["a", "b", "c"]) progress(step);
    };
    await using connected = await connect(demo);
    await connected.client.callTool({ name: "linux_slow" });
    expect(connected.sent.filter(({ method }) => method !== undefined)).toEqual([]);
  });
});
