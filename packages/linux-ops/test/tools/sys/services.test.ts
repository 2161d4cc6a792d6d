import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { fakeProgram } from "../../fake-program.js";
import { opsWith, test, textOf } from "../../helpers.js";

/** Composed: these machines have no systemd. */
const UNITS = JSON.stringify(
  [
    ["broken.service", "failed", "failed", "Broken by its program"],
    ["cron.service", "active", "running", "Regular background jobs"],
    ["nginx.service", "active", "running", "A web server"],
    ["networking.service", "active", "exited", "Raise network interfaces"],
    ["loops.service", "activating", "auto-restart", "Never stays up"],
    ["idle.service", "inactive", "dead", "Nothing to do"],
  ].map(([unit, active, sub, description]) => ({ unit, load: "loaded", active, sub, description })),
);
const SHOWN = `Id=broken.service
Description=Broken by its program
LoadState=loaded
ActiveState=failed
SubState=failed
Result=exit-code
ExecMainCode=1
ExecMainStatus=1
NRestarts=3
MainPID=0
StatusText=
UnitFileState=enabled
FragmentPath=/etc/systemd/system/broken.service
MemoryCurrent=1048576
MemoryMax=infinity
StateChangeTimestamp=Thu 2026-11-19 01:00:00 UTC

Id=loops.service
NRestarts=17
`;

function systemd(): { linux_ops: { commands: { path_extra: string[] } } } {
  const { folder } = fakeProgram("systemctl", 'case "$1" in list-units) cat units;; show) cat shown;; esac');
  writeFileSync(join(folder, "units"), UNITS);
  writeFileSync(join(folder, "shown"), SHOWN);
  return { linux_ops: { commands: { path_extra: [folder] } } };
}

test("what is wrong has a line each, what is well its name, and the rest is counted", async ({ root }) => {
  expect(await textOf(root, "linux.sys_services", {}, systemd())).toBe(
    [
      "[6 services · 1 failed · 1 flapping · 2 running · 1 exited · 1 inactive]",
      "failed broken.service — Broken by its program: it exited with 1",
      "flapping (17 restarts) loops.service — Never stays up",
      'Next: linux_sys_services {"name":"broken.service"}',
      "running: cron nginx",
    ].join("\n"),
  );
});

test("the payload: the seed's rows, counts, and whether there is more", async ({ root }) => {
  const ops = opsWith(root, systemd());
  onTestFinished(() => ops.close());

  expect(await ops.call("linux.sys_services", { state: "running", max_results: 1 })).toEqual({
    services: [{ name: "cron.service", description: "Regular background jobs", state: "active", sub_state: "running" }],
    counts: { running: 2 },
    truncated: true,
  });
  expect((await ops.call("linux.sys_services", { state: "all" })).services).toHaveLength(6);
  expect((await ops.call("linux.sys_services", { state: "flapping" })).services.map(({ name }) => name)).toEqual([
    "loops.service",
  ]);
});

test("one unit in depth, as text", async ({ root }) => {
  expect(await textOf(root, "linux.sys_services", { name: "broken" }, systemd())).toBe(
    [
      "[broken.service · failed (failed) · since Thu 2026-11-19 01:00:00 UTC · enabled · 3 restarts · memory 1MB]",
      "Broken by its program",
      "why: it exited with 1",
      "file: /etc/systemd/system/broken.service",
      "(no log lines: mcp.linux_ops.features.logs_enabled is off)",
    ].join("\n"),
  );
});

test("an unknown state is an error that lists the states", async ({ root }) => {
  await expect(textOf(root, "linux.sys_services", { state: "up" }, systemd())).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining('"flapping"'),
  });
});

test("a systemctl that hangs is ended after the time that the operator set, and named", async ({ root }) => {
  const { folder } = fakeProgram("systemctl", "exec sleep 600");
  const process_limits = { default_timeout_sec: 0.5 };
  const ops = opsWith(root, { linux_ops: { commands: { path_extra: [folder] }, process_limits } });
  onTestFinished(() => ops.close());

  await expect(ops.call("linux.sys_services", {})).rejects.toMatchObject({
    code: "TIMEOUT",
    message: expect.stringMatching(/systemctl .*0\.5 s/),
  });
});
