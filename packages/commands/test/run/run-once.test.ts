import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { commandTimes, runOnce, type Outcome } from "../../src/index.js";
import { bash, openStage } from "../stage.js";

const text = (output: Outcome["stdout"]) => (typeof output === "string" ? output : output.head().toString());

test("a command runs in the first root or in the folder that was named, and its streams are kept apart", async () => {
  const { root, context } = await openStage();
  mkdirSync(join(root, "sub"));
  const outcome = await runOnce(bash("pwd; echo problem >&2; exit 3"), context());
  expect([text(outcome.stdout), text(outcome.stderr), outcome.exitCode]).toEqual([`${root}\n`, "problem\n", 3]);
  expect(text((await runOnce(bash("pwd", { cwd: "sub" }), context())).stdout)).toBe(`${root}/sub\n`);
});

test("a file is not a folder to run in", async () => {
  const { root, context } = await openStage();
  writeFileSync(join(root, "file"), "");
  await expect(runOnce(bash("pwd", { cwd: "file" }), context())).rejects.toMatchObject({ code: "NOT_A_DIRECTORY" });
});

test("a program that is missing is answered as a shell answers it: nothing ran", async () => {
  const { context } = await openStage();
  const outcome = await runOnce(bash("", { command: { argv: ["nosuchprogram"] } }), context());
  expect(outcome).toMatchObject({ exitCode: 127, facts: undefined, stderr: expect.stringMatching(/^nosuchprogram: /) });
});

test("a time-out ends the command with 124 and keeps its output", async () => {
  const { context } = await openStage();
  const times = commandTimes(1, { usual: 25, handOver: undefined });
  const outcome = await runOnce(bash("echo before; sleep 600", { times }), context());
  expect([text(outcome.stdout), outcome.exitCode, outcome.timedOut]).toEqual(["before\n", 124, true]);
});

test("a command that takes longer than its caller waits becomes a managed process of the session", async () => {
  const { managed, context } = await openStage();
  const times = commandTimes(undefined, { usual: 1, handOver: 45 });
  const outcome = await runOnce(bash("echo early; sleep 600", { times }), context());
  expect([text(outcome.stdout), outcome.exitCode]).toEqual(["early\n", null]);
  const process = managed.demand("session", outcome.procId ?? "");
  expect(process.state).toBe("running");
  await process.stop(0);
});

test("a time that the caller named still ends the managed process", async () => {
  const { managed, context } = await openStage();
  const times = commandTimes(2, { usual: 25, handOver: 1 });
  const { procId } = await runOnce(bash("sleep 600", { times }), context());
  await managed.demand("session", procId ?? "").ended;
});

test("where the session has no room for another managed process, the time-out ends the command", async () => {
  const { managed, context } = await openStage({ perOwner: 0 });
  const times = commandTimes(undefined, { usual: 1, handOver: 45 });
  const outcome = await runOnce(bash("sleep 600", { times }), context());
  expect([outcome.exitCode, managed.list("session")]).toEqual([124, []]);
});

test("a cancelled call ends its command, and the message names the tool of the caller", async () => {
  const { root, context } = await openStage();
  const call = new AbortController();
  const running = runOnce(bash(`echo $$ > ${root}/pid; sleep 600`), context({ signal: call.signal }));
  const { files } = context();
  await vi.waitFor(async () => expect(await files.exists("pid")).toBe(true), 20_000);
  call.abort();
  await expect(running).rejects.toThrow(/a tool/);
});

test("a file that a command makes and other programs execute is named", async () => {
  const { root, context } = await openStage();
  const outcome = await runOnce(bash("echo x > .envrc"), context());
  expect(outcome.executedByOthers).toEqual([join(root, ".envrc")]);
});
