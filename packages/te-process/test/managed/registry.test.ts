import { expect, test } from "vitest";
import { heard, LONG_MS, NOTHING_CLOSED, stage } from "./stage.js";

test("a session has its own: another one is told that there is none", async () => {
  const { start, managed } = await stage("off");
  const mine = await start("sleep 600");

  expect(managed.find("other", mine.id)).toBeUndefined();
  expect(() => managed.demand("other", mine.id)).toThrow(/has no process/);
  expect(managed.list("other")).toEqual([]);
  expect(managed.demand("me", mine.id)).toBe(mine);
});

test("as many as a session may have, and as many as there may be; ended ones do not count", async () => {
  const { start } = await stage("off", { limits: { perOwner: 2, total: 3 } });
  await start("sleep 600");
  const second = await start("sleep 600");
  await expect(start("sleep 600")).rejects.toMatchObject({
    code: "PROC_LIMIT",
    message: expect.stringContaining("this session has 2"),
    remedy: { id: "end-own-process", ids: [expect.stringMatching(/^p_/), expect.stringMatching(/^p_/)] },
  });

  await second.stop(5000);
  await start("sleep 600");
  await start("sleep 600", { owner: "other" });
  await expect(start("sleep 600", { owner: "other" })).rejects.toMatchObject({
    code: "PROC_LIMIT",
    remedy: { id: "wait-for-processes" },
  });
});

test("two starts at once do not both take the last place", async () => {
  const { start } = await stage("off", { limits: { perOwner: 1 } });

  const both = await Promise.allSettled([start("sleep 600"), start("sleep 600")]);

  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("what nobody uses ends; a session that calls, or is attached, keeps what it has", async () => {
  const { start, managed } = await stage("off", { limits: { idleMs: 400 } });
  const unused = await start("sleep 600", { owner: "gone" });
  managed.called("here", true);
  const attached = await start("sleep 600", { owner: "here" });

  await unused.ended;

  expect(unused.end?.signal).toBe("SIGTERM");
  expect(attached.state).toBe("running");
  // Nobody asked for what it left: that is forgotten too.
  await expect.poll(() => managed.list("gone"), { timeout: LONG_MS }).toEqual([]);
});

test("what prints is used", async () => {
  const { start } = await stage("off", { limits: { idleMs: 2000 } });
  const clock = await start(["sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.3; done; exec sleep 600"]);

  await clock.ended;

  expect(clock.take({ maxBytes: 1000 }).text).toContain("10\n");
});

test("a command that ran on its own is taken over where it stands", async () => {
  const { managed, commands, root } = await stage("off");
  const launch = await commands.prepare({
    command: { argv: ["sh", "-c", "echo before; read line; echo after; exit 4"] },
    use: "process",
    cwd: root,
    closed: NOTHING_CLOSED,
    session: { id: "me", agentId: "a", model: "m" },
  });
  if ("missing" in launch) throw new Error(launch.missing);
  const started = await launch.start({ stdin: "pipe" });
  const before = await new Promise<Buffer>((resolve) => started.stdout.once("data", resolve));
  started.stdout.pause();

  const taken = managed.adopt({ owner: "me", command: "sh", cwd: "/", launch, started, printed: [before] });

  expect(taken.unread).toBe(0);
  taken.send("go\n");
  expect(await heard(taken)).toMatchObject({ text: "after\n" });
  await taken.ended;
  expect(taken.end).toEqual({ exitCode: 4, signal: null });
  expect(taken.take({ maxBytes: 100, since: 0 }).text).toBe("before\nafter\n");
});

test("a session that closes takes its processes along, and so does the server", async () => {
  const { start, managed } = await stage("off");
  const [mine, other] = [await start("sleep 600"), await start("sleep 600", { owner: "other" })];

  await managed.endOwner("me");
  expect([mine.state, other.state, managed.list("me")]).toEqual(["exited", "running", []]);
  await managed.close();
  expect(other.state).toBe("exited");
});
