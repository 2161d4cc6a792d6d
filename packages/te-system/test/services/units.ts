// All composed, after what systemd 239, 249 and 255 print: none of the test machines can start systemd.

/** Versions before 246 print columns whatever is asked for, and mark failed units. */
export const UNITS_239 = `● broken.service              loaded    failed   failed       Broken by its program
  cron.service                loaded    active   running      Regular background program processing daemon
  getty@tty1.service          loaded    active   running      Getty on tty1
● gone.service                not-found inactive dead         gone.service
  networking.service          loaded    active   exited       Raise network interfaces
`;

export const UNITS_249 = JSON.stringify([
  unit("broken.service", "failed", "failed", "Broken by its program"),
  unit("cron.service", "active", "running", "Regular background program processing daemon"),
  unit("networking.service", "active", "exited", "Raise network interfaces"),
]);

/** 255 has a job beside, where there is one. */
export const UNITS_255 = JSON.stringify([
  { ...unit("broken.service", "failed", "failed", "Broken by its program"), job: null },
  { ...unit("cron.service", "active", "running", "Regular background program processing daemon"), job: null },
  { ...unit("networking.service", "active", "exited", "Raise network interfaces"), job: "restart" },
]);

export function unit(
  name: string,
  active: string,
  sub: string,
  description = name,
  load = "loaded",
): Record<string, unknown> {
  return { unit: name, load, active, sub, description };
}

const STATES = [
  ["active", "running"],
  ["active", "exited"],
  ["reloading", "reload"],
  ["inactive", "dead"],
  ["failed", "failed"],
  ["activating", "start-pre"],
  ["activating", "auto-restart"],
  ["deactivating", "stop-sigterm"],
  ["maintenance", "maintenance"],
  ["refreshing", "refresh"],
] as const;

/** 300 units, 30 in each state that there is. */
export const MANY_UNITS = JSON.stringify(
  Array.from({ length: 300 }, (_, index) => {
    const [active, sub] = STATES[index % STATES.length] ?? ["active", "running"];
    return unit(`unit-${String(index).padStart(3, "0")}.service`, active, sub, `Number ${index}`);
  }),
);

export function properties(values: Readonly<Record<string, string | number>>): string {
  return `${Object.entries(values)
    .map(([key, value]) => `${key}=${value}`)
    .join("\n")}\n`;
}

export const BROKEN = {
  Id: "broken.service",
  Description: "Broken by its program",
  LoadState: "loaded",
  ActiveState: "failed",
  SubState: "failed",
  Result: "exit-code",
  ExecMainCode: 1,
  ExecMainStatus: 203,
  NRestarts: 5,
  MainPID: 0,
  StatusText: "",
  UnitFileState: "enabled",
  FragmentPath: "/etc/systemd/system/broken.service",
  MemoryCurrent: "[not set]",
  MemoryMax: "infinity",
  TasksCurrent: "[not set]",
  TasksMax: 4915,
  CPUUsageNSec: "18446744073709551615",
  StateChangeTimestamp: "Thu 2026-11-19 01:00:00 UTC",
};
