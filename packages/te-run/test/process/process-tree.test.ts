import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { isDead, readStat } from "../../src/process/proc-stat.js";
import { ProcessTree } from "../../src/process/process-tree.js";

test("a process is read from /proc, whatever its name looks like", async () => {
  // The kernel shows the name as it is: this one pretends that the fields behind it have begun.
  const child = spawn("sh", ["-c", `printf ') Z 1 1 1' > /proc/$$/comm; read line`], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  const pid = child.pid ?? 0;
  await expect.poll(() => readStat(pid)?.state).toBe("S");
  const stat = readStat(pid);
  expect(stat).toEqual({
    pid,
    state: "S",
    parent: process.pid,
    group: readStat(process.pid)?.group,
    session: readStat(process.pid)?.session,
    foreground: readStat(process.pid)?.foreground,
    threads: 1,
    start: expect.any(Number),
  });
  expect(stat !== undefined && isDead(stat)).toBe(false);
  child.stdin.end();
  await once(child, "exit");
  expect(readStat(pid)).toBeUndefined();
});

test("where /proc does not show the program, it counts as living until it is reaped", async () => {
  let reaped = false;
  // Beyond the highest pid that Linux gives: there can be no entry.
  const tree = new ProcessTree(2 ** 22 + 1, randomUUID(), () => reaped);
  await tree.scan();
  expect({ alive: tree.isAlive(), members: tree.members() }).toEqual({ alive: true, members: [2 ** 22 + 1] });
  reaped = true;
  expect({ alive: tree.isAlive(), members: tree.members() }).toEqual({ alive: false, members: [] });
});

test("a group that was spared gets no signal, and one that got it is spared from then on", async () => {
  const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
  const gone = once(child, "exit");
  const pid = child.pid ?? 0;
  const tree = new ProcessTree(pid, randomUUID(), () => child.signalCode !== null);
  tree.signal("SIGKILL", new Set([pid]));
  const spared = new Set<number>();
  tree.signal("SIGTERM", spared);
  expect(spared).toEqual(new Set([pid]));
  expect(await gone).toEqual([null, "SIGTERM"]);
});

test("a program that has ended is forgotten", async () => {
  const child = spawn("true", { detached: true, stdio: "ignore" });
  const tree = new ProcessTree(child.pid ?? 0, randomUUID(), () => child.exitCode !== null);
  expect(tree.members()).toEqual([child.pid]);
  await once(child, "exit");
  expect({ alive: tree.isAlive(), members: tree.members() }).toEqual({ alive: false, members: [] });
});
