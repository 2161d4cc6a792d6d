import { awaited } from "@llmc/te-process";
import { expect, test } from "vitest";
import { startManaged, type StartRequest } from "../../src/index.js";
import { openStage } from "../stage.js";

const LONG_MS = 20_000;

const starting = (command: string, request: Partial<StartRequest> = {}): StartRequest => ({
  command,
  cwd: undefined,
  env: undefined,
  size: undefined,
  waitMs: LONG_MS,
  until: undefined,
  use: "process",
  tool: "a tool",
  ...request,
});

test("the first answer comes when the awaited text was printed, and the program lives on", async () => {
  const { managed, context } = await openStage();
  const request = starting("sh -c 'echo $GREETING; exec sleep 600'", {
    env: { GREETING: "ready" },
    until: awaited("ready"),
  });
  const begun = await startManaged(request, context());
  if ("missing" in begun) throw new Error("sh is missing");
  expect([begun.why, begun.process.take({ maxBytes: 100 }).text]).toEqual(["matched", "ready\n"]);
  expect(managed.running("session")).toEqual([begun.process]);
});

test("a program that is missing is named, and nothing is kept", async () => {
  const { managed, context } = await openStage();
  expect(await startManaged(starting("nosuchprogram"), context())).toMatchObject({ missing: "nosuchprogram" });
  expect(managed.list("session")).toEqual([]);
});

test("a session that has as many as it may starts no other one", async () => {
  const { context } = await openStage({ perOwner: 0 });
  await expect(startManaged(starting("cat"), context())).rejects.toMatchObject({ code: "PROC_LIMIT" });
});

test("a call that is cancelled while it waits leaves no process behind", async () => {
  const { managed, context } = await openStage();
  const call = new AbortController();
  const waiting = startManaged(starting("sleep 600", { until: awaited("never") }), context({ signal: call.signal }));
  const thrown = waiting.catch((each: unknown) => each);
  await expect.poll(() => managed.running("session").length, { timeout: LONG_MS }).toBe(1);
  call.abort();
  expect(await thrown).toBeInstanceOf(Error);
  expect(managed.list("session")).toEqual([]);
});
