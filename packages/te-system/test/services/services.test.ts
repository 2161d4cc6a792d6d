import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Services } from "../../src/index.js";
import { fakeProgram, type Answer, type Fake } from "../fake-program.js";
import { HEALTHY, machine } from "../machine.js";
import { BROKEN, MANY_UNITS, properties, unit, UNITS_239, UNITS_249, UNITS_255 } from "./units.js";

interface Systemd {
  readonly services: Services;
  readonly fake: Fake;
}

function systemd(answers: readonly Answer[], more: { programTimeoutMs?: number } = {}): Systemd {
  const fake = fakeProgram("systemctl", answers);
  return { fake, services: machine(HEALTHY, { path: fake.path, ...more }).system.services };
}

const listing = (stdout: string, shown = ""): Answer[] => [
  { when: "list-units*", stdout },
  { when: "show*", stdout: shown },
];

test.for([
  ["239, columns", UNITS_239],
  ["249, JSON", UNITS_249],
  ["255, JSON with jobs", UNITS_255],
] as const)("the units of systemd %s: failed first", async ([, text]) => {
  const units = await systemd(listing(text)).services.list();

  expect(units[0]).toMatchObject({
    name: "broken.service",
    active: "failed",
    sub: "failed",
    description: "Broken by its program",
  });
  expect(units.map(({ name }) => name)).toEqual(
    ["broken.service", "cron.service", "getty@tty1.service", "networking.service", "gone.service"].filter((name) =>
      text.includes(name),
    ),
  );
});

test("300 units in every state: failed, flapping, changing, running, exited, inactive", async () => {
  const units = await systemd(listing(MANY_UNITS)).services.list();
  const order = units.map(({ active, sub }) => (active === "active" ? sub : active === "activating" ? sub : active));

  expect(units).toHaveLength(300);
  expect([...new Set(order.slice(0, 60))]).toEqual(["failed", "auto-restart"]);
  expect(new Set(order.slice(60, 210))).toEqual(
    new Set(["reloading", "start-pre", "deactivating", "maintenance", "refreshing"]),
  );
  expect([...new Set(order.slice(210))]).toEqual(["running", "exited", "inactive"]);
});

test("what was started again and again flaps, until it has run for ten minutes", async () => {
  const list = JSON.stringify([unit("new.service", "active", "running"), unit("old.service", "active", "running")]);
  // The machine has been up for 1,000,000 s.
  const shown = [
    properties({ Id: "new.service", NRestarts: 4, ActiveEnterTimestampMonotonic: 999_990 * 1e6 }),
    properties({ Id: "old.service", NRestarts: 4, ActiveEnterTimestampMonotonic: 10 * 1e6 }),
  ].join("\n");
  const units = await systemd(listing(list, shown)).services.list();

  expect(units.map(({ name, isFlapping, restarts }) => [name, isFlapping, restarts])).toEqual([
    ["new.service", true, 4],
    ["old.service", false, 4],
  ]);
});

test("one unit in depth: why it failed, in words", async () => {
  const { services, fake } = systemd([{ when: "show*", stdout: properties(BROKEN) }]);

  expect(await services.one("broken")).toEqual({
    name: "broken.service",
    description: "Broken by its program",
    state: "failed",
    subState: "failed",
    enabled: "enabled",
    since: "Thu 2026-11-19 01:00:00 UTC",
    why: "it exited with 203: its program cannot be executed: wrong path, or not executable",
    lastExit: "it exited with 203: its program cannot be executed: wrong path, or not executable",
    restarts: 5,
    pid: null,
    status: null,
    memoryBytes: null,
    memoryLimitBytes: null,
    tasks: null,
    tasksLimit: 4915,
    cpuSeconds: null,
    file: "/etc/systemd/system/broken.service",
  });
  expect(fake.calls()[0]).toMatch(/-- broken\.service$/);
});

test.for([
  [
    { Result: "oom-kill", ExecMainCode: 2, ExecMainStatus: 9 },
    "the kernel killed it for want of memory; it was ended by SIGKILL",
  ],
  [{ Result: "core-dump", ExecMainCode: 3, ExecMainStatus: 11 }, "it was ended by SIGSEGV (a crash), with a core dump"],
  [{ Result: "timeout", ExecMainCode: 0, ExecMainStatus: 0 }, "it did not start or stop in time"],
  [
    { Result: "start-limit-hit" },
    "it was started too often in too short a time; it exited with 203: its program cannot be executed: wrong path, or not executable",
  ],
  [{ Result: "success", LoadState: "masked" }, "it is masked: it cannot be started"],
  [{ Result: "success", LoadState: "bad-setting", LoadError: "line 3" }, "its unit file is wrong: line 3"],
  [{ Result: "success", ConditionResult: "no" }, "a condition of its unit file was not met"],
  [{ Result: "success" }, null],
] as const)("why: %o", async ([values, expected]) => {
  const { services } = systemd([{ when: "show*", stdout: properties({ ...BROKEN, ...values }) }]);

  expect((await services.one("broken.service")).why).toBe(expected);
});

test("memory is told against its limit", async () => {
  const limited = properties({
    ...BROKEN,
    MemoryCurrent: 104_857_600,
    MemoryMax: 209_715_200,
    MainPID: 77,
    CPUUsageNSec: 2_500_000_000,
  });
  const details = await systemd([{ when: "show*", stdout: limited }]).services.one("broken");

  expect(details).toMatchObject({ memoryBytes: 104_857_600, memoryLimitBytes: 209_715_200, pid: 77, cpuSeconds: 2.5 });
});

test.for(["nginx;reboot", "../etc", "--root=/", "a b", "$(id)", ".hidden", "a\nb", "*", "x".repeat(300)])(
  "%j is no name of a unit, and nothing is started",
  async (name) => {
    const { services, fake } = systemd([]);

    await expect(services.one(name)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      hint: expect.stringContaining("nginx"),
    });
    expect(() => fake.calls()).toThrow("ENOENT");
  },
);

test("an unknown unit is NOT_FOUND, and the hint has those that it may mean", async () => {
  const { services } = systemd([
    { when: "list-units*", stdout: UNITS_249 },
    {
      when: "show*--\\ cro.service",
      stdout: properties({ Id: "cro.service", LoadState: "not-found", ActiveState: "inactive" }),
    },
    { when: "show*", stdout: "" },
  ]);

  await expect(services.one("cro")).rejects.toMatchObject({ code: "NOT_FOUND", hint: "There is cron.service." });
});

test("where systemd does not run, it is said what does", async () => {
  const fake = fakeProgram("systemctl", [
    {
      when: "*",
      stderr:
        "System has not been booted with systemd as init system (PID 1). Can't operate.\nFailed to connect to bus: Host is down\n",
      exit: 1,
    },
  ]);
  const composed = machine(
    { proc: { ...HEALTHY.proc, "1/stat": `1 (init) S ${Array.from({ length: 30 }, () => 0).join(" ")}\n` } },
    { path: fake.path },
  );
  const alpine = join(composed.root, "files");
  mkdirSync(join(alpine, "run/openrc"), { recursive: true });
  writeFileSync(join(alpine, "run/openrc/softlevel"), "default");
  const { system } = machine(
    { proc: { ...HEALTHY.proc, "1/stat": `1 (init) S ${Array.from({ length: 30 }, () => 0).join(" ")}\n` } },
    { path: fake.path, root: alpine },
  );

  await expect(system.services.list()).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
    message: expect.stringMatching(
      /^systemd is not available: it does not run here; the first process is init, services are OpenRC's/,
    ),
    remedy: { id: "ask-manager", how: "rc-status lists its services" },
  });
});

test("without systemctl it is the same error", async () => {
  const { system } = machine(HEALTHY, { path: "/nowhere" });

  await expect(system.services.list()).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
    message: expect.stringContaining("systemd is not available"),
  });
});

test("a failure, an answer that ends in the middle, and one that is none of its", async () => {
  const failing = systemd([{ when: "*", stderr: "Access denied\n", exit: 4 }]);
  const cut = systemd(listing(UNITS_249.slice(0, -20)));
  const other = systemd(listing('{"units": 3}'));

  await expect(failing.services.list()).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
    message: expect.stringContaining("Access denied"),
  });
  await expect(cut.services.list()).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
    message: expect.stringContaining("ends in the middle"),
  });
  await expect(other.services.list()).rejects.toMatchObject({ code: "ENGINE_UNAVAILABLE" });
});

test("a systemctl that hangs is ended, and so is one whose call is cancelled", async () => {
  const hanging = systemd([{ when: "*", hangs: true }], { programTimeoutMs: 300 });
  await expect(hanging.services.list()).rejects.toMatchObject({
    code: "TIMEOUT",
    message: expect.stringContaining("systemctl"),
  });

  const { services } = systemd([{ when: "*", hangs: true }]);
  await expect(services.one("cron", AbortSignal.timeout(100))).rejects.toMatchObject({ code: "CANCELLED" });
});

test("a snapshot names failed units, and the call that tells why; without systemd nothing is started", async () => {
  const fake = fakeProgram("systemctl", [{ when: "list-units*--state=failed*", stdout: UNITS_249 }]);
  const composed = machine(HEALTHY);
  mkdirSync(join(composed.root, "files/run/systemd/system"), { recursive: true });
  const { system } = machine(HEALTHY, {
    path: fake.path,
    root: join(composed.root, "files"),
    now: () => performance.now(),
  });
  await vi.waitFor(async () => expect((await system.snapshot()).anomalies).toHaveLength(1), 20_000);
  const { anomalies, summary } = await system.snapshot();

  expect(anomalies).toMatchObject([
    { fact: "1 unit has failed: broken.service", nextStep: { id: "service", name: "broken.service" } },
  ]);
  expect(summary.headline).toBe("WARNING: 1 unit has failed: broken.service");
  expect(fake.calls()).toHaveLength(1);

  const without = fakeProgram("systemctl", []);
  await machine(HEALTHY, { path: without.path, root: composed.root }).system.snapshot();
  expect(() => without.calls()).toThrow("ENOENT");
});
