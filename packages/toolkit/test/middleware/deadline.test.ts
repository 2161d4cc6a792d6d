import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { destroys, from, pipeline, toolNamed } from "../fixture.js";

test("a reading tool that hangs is answered TIMEOUT and its signal is aborted", async () => {
  let reason: unknown;
  const hang = toolNamed("hang", (_args, { signal }) => {
    signal.addEventListener("abort", () => (reason = signal.reason));
    return new Promise(() => {});
  });
  const { dispatcher } = pipeline([hang], { readMs: 20 });
  await expect(dispatcher.call("hang", {}, from())).rejects.toMatchObject({ code: "TIMEOUT" });
  expect(reason).toMatchObject({ code: "TIMEOUT" });
});

test("a changing tool has no deadline and ends a cancel in its own words", async () => {
  const abort = new AbortController();
  const write = toolNamed(
    "write",
    async (_args, { signal }) => {
      await sleep(60);
      return { said: signal.aborted ? "stopped after step 1" : "done" };
    },
    { annotations: destroys },
  );
  const { dispatcher } = pipeline([write], { readMs: 5 });
  const running = dispatcher.call("write", {}, from("t", { signal: abort.signal }));
  abort.abort();
  expect((await running).payload).toEqual({ said: "stopped after step 1" });
});

test("a call whose client is gone before it begins is not begun", async () => {
  let began = false;
  const write = toolNamed("write", async () => ((began = true), { said: "" }), { annotations: destroys });
  const call = pipeline([write]).dispatcher.call("write", {}, from("t", { signal: AbortSignal.abort() }));
  await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
  expect(began).toBe(false);
});

test("an AbortError of an inner wait is told as what aborted it", async () => {
  const abort = new AbortController();
  const wait = toolNamed(
    "wait",
    async (_args, { signal }) => {
      await sleep(60_000, undefined, { signal });
      return { said: "" };
    },
    { annotations: destroys },
  );
  const call = pipeline([wait]).dispatcher.call("wait", {}, from("t", { signal: abort.signal }));
  await new Promise((resolve) => setImmediate(resolve));
  abort.abort();
  await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
});

test("a call's own wait is added to the deadline", async () => {
  const { z } = await import("zod");
  const slow = toolNamed("slow", async () => (await sleep(40), { said: "ok" }), {
    input: z.strictObject({ patience: z.int().default(0) }),
  });
  const { dispatcher } = pipeline([slow], { readMs: 10 });
  await expect(dispatcher.call("slow", {}, from())).rejects.toMatchObject({ code: "TIMEOUT" });
  expect((await dispatcher.call("slow", { patience: 10_000 }, from())).payload).toEqual({ said: "ok" });
});
