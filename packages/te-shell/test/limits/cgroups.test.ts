import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Cgroups } from "../../src/limits/cgroups.js";
import { readStat } from "../../../te-run/src/process/proc-stat.js";

const LIMITS = { maxPids: 64, maxMemoryBytes: 128 * 1024 * 1024 };

/** Folders that look like the kernel's: of version 2, which this machine may not have. */
function machine(files: Readonly<Record<string, string>>): { readonly own: string; readonly root: string } {
  const folder = mkdtempSync(join(tmpdir(), "cgroups-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return { own: join(folder, "own"), root: join(folder, "sys") };
}

const UNIT = "sys/system.slice/llmc.service";
const VERSION_2 = {
  own: "0::/system.slice/llmc.service\n",
  [`${UNIT}/cgroup.subtree_control`]: "cpu memory pids\n",
};

/** The one that was made last: trying out whether groups can be made leaves one in a folder that is no kernel's. */
function madeIn(folder: string, before: readonly string[] = []): string {
  const [made] = readdirSync(folder).filter((name) => name.startsWith("llmc-") && !before.includes(name));
  return join(folder, made ?? "nothing was made");
}

/** A group on such a machine, and where it lies. */
function openedOn2() {
  const places = machine(VERSION_2);
  const unit = join(places.root, "system.slice/llmc.service");
  const cgroups = Cgroups.find(places);
  const before = readdirSync(unit);
  const meter = cgroups?.open(LIMITS);
  return { cgroups, meter, group: madeIn(unit, before) };
}

test("version 2: a group below our own with both limits, which a command joins before it runs", async () => {
  const { meter, group } = openedOn2();

  expect(meter?.joins).toEqual([join(group, "cgroup.procs")]);
  expect(readFileSync(join(group, "pids.max"), "utf8")).toBe("64");
  expect(readFileSync(join(group, "memory.max"), "utf8")).toBe(`${LIMITS.maxMemoryBytes}`);
});

test("version 2: which limit was hit, from what the kernel counts", () => {
  const { meter, group } = openedOn2();

  expect(meter?.hit()).toBeUndefined();
  writeFileSync(join(group, "memory.events"), "low 0\nhigh 0\nmax 12\noom 0\noom_kill 0\n");
  writeFileSync(join(group, "pids.events"), "max 0\n");
  expect(meter?.hit()).toBeUndefined();
  writeFileSync(join(group, "pids.events"), "max 3\n");
  expect(meter?.hit()).toBe("processes");
  writeFileSync(join(group, "memory.events"), "low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\n");
  expect(meter?.hit()).toBe("memory");
});

test("a group that was left clean serves again, with what was counted before not counted again", async () => {
  const { cgroups, meter: first, group } = openedOn2();
  // As the kernel's files would be.
  writeFileSync(join(group, "cgroup.procs"), "");
  writeFileSync(join(group, "memory.current"), "4096\n");
  writeFileSync(join(group, "pids.current"), "1\n");
  writeFileSync(join(group, "pids.events"), "max 3\n");
  expect(first?.hit()).toBe("processes");
  await first?.close();

  const again = cgroups?.open({ ...LIMITS, maxMemoryBytes: LIMITS.maxMemoryBytes * 1.05 });
  expect(again?.joins).toEqual(first?.joins);
  expect(again?.hit()).toBeUndefined();
  writeFileSync(join(group, "pids.events"), "max 4\n");
  expect(again?.hit()).toBe("processes");
});

test.each([
  ["somebody lives in it", { "cgroup.procs": "123\n" }, LIMITS],
  ["the dead are left of the last one", { "pids.current": "2\n" }, LIMITS],
  ["files in memory are left of the last one", { "memory.current": `${20 * 1024 * 1024}\n` }, LIMITS],
  ["other limits are asked for", {}, { ...LIMITS, maxMemoryBytes: LIMITS.maxMemoryBytes * 2 }],
  ["other limits for processes are asked for", {}, { ...LIMITS, maxPids: 65 }],
])("a group does not serve again where %s", async (_, files, limits) => {
  const { cgroups, meter: first, group } = openedOn2();
  for (const [name, text] of Object.entries({
    "cgroup.procs": "",
    "memory.current": "0\n",
    "pids.current": "0\n",
    ...files,
  }))
    writeFileSync(join(group, name), text);
  await first?.close();

  expect(cgroups?.open(limits).joins).not.toEqual(first?.joins);
  await cgroups?.close();
});

test("version 2 in a container: the top group is ours", () => {
  const places = machine({ own: "0::/\n", "sys/cgroup.subtree_control": "cpuset cpu io memory pids" });

  Cgroups.find(places)?.open(LIMITS);

  expect(readFileSync(join(madeIn(places.root), "memory.max"), "utf8")).toMatch(/^\d+$/);
});

test.each([
  ["no group at all", {}],
  ["controllers that are not handed on", { ...VERSION_2, [`${UNIT}/cgroup.subtree_control`]: "cpu\n" }],
  ["a path that is somewhere else", { own: "0::/../outside\n", "sys/x": "" }],
  ["version 1 with processes only", { own: "2:pids:/a\n1:name=systemd:/a\n", "sys/pids/a/tasks": "" }],
])("%s: there is no group to be made", (_, files) => {
  expect(Cgroups.find(machine(files))).toBeUndefined();
});

test("version 1: one group for each limit, below our own or, where that is the host's path, at the top", () => {
  const places = machine({
    own: "8:pids:/ours\n4:cpu,memory:/docker/not-seen-here\n0::/\n",
    "sys/pids/ours/tasks": "",
    "sys/memory/tasks": "",
  });
  const cgroups = Cgroups.find(places);
  const [pids, memory] = [join(places.root, "pids/ours"), join(places.root, "memory")];
  const before = [...readdirSync(pids), ...readdirSync(memory)];

  const meter = cgroups?.open(LIMITS);

  expect(meter?.joins).toEqual([
    join(madeIn(pids, before), "cgroup.procs"),
    join(madeIn(memory, before), "cgroup.procs"),
  ]);
  expect(readFileSync(join(madeIn(pids, before), "pids.max"), "utf8")).toBe("64");
  expect(readFileSync(join(madeIn(memory, before), "memory.limit_in_bytes"), "utf8")).toBe(`${LIMITS.maxMemoryBytes}`);
  writeFileSync(join(madeIn(memory, before), "memory.oom_control"), "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
  expect(meter?.hit()).toBe("memory");
});

test("groups of servers that are gone are swept, those of living ones and of others are not", () => {
  const places = machine(VERSION_2);
  const unit = join(places.root, "system.slice/llmc.service");
  const cgroups = Cgroups.find(places);
  const start = readStat(process.pid)?.start ?? 0;
  const names = {
    gone: `llmc-${2 ** 22 + 5}.77.abc`,
    // The pid was given again.
    reused: `llmc-${process.pid}.${start - 1}.abc`,
    ours: `llmc-${process.pid}.${start}.abc`,
    theirs: "somebody-else",
  };
  for (const name of Object.values(names)) mkdirSync(join(unit, name));

  cgroups?.sweep();

  const left = Object.entries(names).filter(([, name]) => existsSync(join(unit, name)));
  expect(left.map(([key]) => key)).toEqual(["ours", "theirs"]);
});

test("what a server that is gone has left in its group is ended, unless its process numbers are not ours", async () => {
  const places = machine(VERSION_2);
  const unit = join(places.root, "system.slice/llmc.service");
  const space = /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0];
  const [left, elsewhere] = [sleeper(), sleeper()];
  const gone = `llmc-${2 ** 22 + 5}.77`;
  // 0: a process that cannot be seen from here.
  for (const [name, pids] of [
    [`${gone}.${space}.abc`, `0\n${left.pid}\n`],
    [`${gone}.4.abc`, `${elsewhere.pid}\n`],
  ] as const) {
    mkdirSync(join(unit, name));
    writeFileSync(join(unit, name, "cgroup.procs"), pids);
  }

  Cgroups.find(places)?.sweep();

  expect((await once(left, "exit"))[1]).toBe("SIGKILL");
  expect(elsewhere.exitCode ?? elsewhere.signalCode).toBeNull();
});

function sleeper(): ChildProcess {
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}
