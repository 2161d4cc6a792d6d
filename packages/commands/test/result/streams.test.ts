import { EngineUnavailableError } from "@llmc/errors";
import { estimateTokens } from "@llmc/toolkit";
import { expect, test } from "vitest";
import { runOnce, streamsOf } from "../../src/index.js";
import { bash, KEPT_BYTES, openStage } from "../stage.js";

const OPTIONS = { budget: { bytes: 2_000, tokens: 1_000 }, keptBytes: KEPT_BYTES };

test("output within the budget is answered as it is", async () => {
  const { context } = await openStage();
  const outcome = await runOnce(bash("echo out; echo problem >&2"), context());
  expect(await streamsOf(outcome, OPTIONS, context())).toEqual({ stdout: "out\n", stderr: "problem\n" });
});

test("a flood is cut in its middle, counted, and stands whole behind a handle of the owner", async () => {
  const { handles, context } = await openStage();
  const outcome = await runOnce(bash("seq 10000"), context());
  const { stdout, handle = "", ...rest } = await streamsOf(outcome, OPTIONS, context());
  expect(rest).toEqual({ stderr: "", truncated: true, stdout_bytes: 48_894 });
  expect(stdout).toMatch(/^1\n2\n[^]*\n… \[\d+ lines, \d+ bytes left out; all of it: \S+\] …\n[^]*\n9999\n10000\n$/);
  expect(estimateTokens(stdout)).toBeLessThan(1_100);
  const { data, handle: kept } = await handles.readSlice("owner", handle, 0, KEPT_BYTES);
  expect(data.toString()).toBe(Array.from({ length: 10_000 }, (_, index) => `${index + 1}\n`).join(""));
  expect(kept.meta).toEqual({ kind: "command_output", stream: "stdout", total_bytes: 48_894, lost_bytes: 0 });
});

test("when the store is away, a cut output is answered without a handle", async () => {
  const { context } = await openStage();
  const away = () => Promise.reject(new EngineUnavailableError("The database", "its disk is full", "Make room."));
  const outcome = await runOnce(bash("seq 10000"), context());
  const streams = await streamsOf(outcome, OPTIONS, context({ handles: away }));
  expect(streams.truncated).toBe(true);
  expect(streams).not.toHaveProperty("handle");
  expect(streams.stdout).toMatch(/bytes left out\] …/);
});

test("errors get their room before a flood on stdout, and a flood of errors leaves half of it", async () => {
  const { context } = await openStage();
  const both = await streamsOf(await runOnce(bash("seq 10000; echo problem >&2"), context()), OPTIONS, context());
  expect([both.stderr, both.stdout.length > 1_000]).toEqual(["problem\n", true]);
  const flood = await runOnce(bash("seq 200; seq 10000 >&2"), context());
  const { stdout, stderr_handle } = await streamsOf(flood, OPTIONS, context());
  expect(stdout.split("\n").slice(-2)).toEqual(["200", ""]);
  expect(stdout).not.toMatch(/left out/);
  expect(stderr_handle).toEqual(expect.any(String));
});

test("no cut splits a character", async () => {
  const { context } = await openStage();
  const outcome = await runOnce(bash("printf 'ä€😀%.0s' {1..2000}"), context());
  const { stdout } = await streamsOf(outcome, OPTIONS, context());
  expect(stdout).not.toContain("\ufffd");
  expect(stdout).toMatch(/left out/);
});
