import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProcfs } from "@llmc/procfs";
import { expect, onTestFinished, test, vi } from "vitest";
import { openSystem, type Snapshot, type System } from "../src/index.js";
import { THRESHOLDS } from "./machine.js";

// Nothing here is composed: this machine is made sick, and has to say so. What it may not do is skipped with the reason.

const MB = 1024 * 1024;
const real = (): System => openSystem({ procfs: openProcfs(), thresholds: THRESHOLDS });
type Skip = (note: string) => never;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "te-system-sick-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A file system in memory, of this size and with so many inodes. */
function tmpfs(skip: Skip, options: string): string {
  const point = folder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", point], { stdio: "ignore" });
  } catch {
    return skip("this user may not mount a tmpfs");
  }
  onTestFinished(() => void execFileSync("umount", ["-l", point], { stdio: "ignore" }));
  return point;
}

async function program(source: string): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn("/usr/bin/python3", ["-c", source], { stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return child as ChildProcess & { readonly pid: number };
}

const about = ({ anomalies }: Snapshot, word: string): Snapshot["anomalies"] =>
  anomalies.filter(({ fact }) => fact.includes(word));

test("a full file system in memory", async ({ skip }) => {
  const point = tmpfs(skip, "size=4m");
  const system = real();
  expect(about(await system.snapshot(), point)).toEqual([]);
  writeFileSync(join(point, "file"), Buffer.alloc(4 * MB - 4096));
  const snapshot = await system.snapshot();

  expect(about(snapshot, point)).toMatchObject([{ severity: "critical", fact: expect.stringMatching(/ 100% full, /) }]);
  expect(snapshot.summary.headline).toMatch(/^CRITICAL: /);
  expect(snapshot.disks.find(({ mount }) => mount.point === point)?.space.totalBytes).toBe(4 * MB);
});

test("no inodes left, whatever space there is", async ({ skip }) => {
  const point = tmpfs(skip, "size=4m,nr_inodes=20");
  for (let index = 0; index < 18; index++) writeFileSync(join(point, String(index)), "");

  expect(about(await real().snapshot(), point)).toMatchObject([
    { severity: "critical", fact: expect.stringContaining("inodes") },
  ]);
});

test("space that a deleted file still takes, and who holds it", async ({ skip }) => {
  if (!existsSync("/usr/bin/python3")) skip("python3 is not installed");
  const point = tmpfs(skip, "size=4m");
  const child = await program(
    `import os,sys\nf=open(${JSON.stringify(join(point, "log"))},"wb")\nf.write(b"x"*${4 * MB - 4096})\nf.flush()\nos.unlink(f.name)\nprint("ready",flush=True)\nsys.stdin.read()`,
  );

  expect(about(await real().snapshot(), point)).toMatchObject([
    {
      severity: "critical",
      likelyCause: expect.stringContaining(`(pid ${child.pid}) still holds open`),
      nextStep: { id: "process-tree", pid: child.pid },
    },
  ]);
});

test("a zombie, and the parent that does not ask", async ({ skip }) => {
  if (!existsSync("/usr/bin/python3")) skip("python3 is not installed");
  const parent = await program(
    'import os,sys\np=os.fork()\nif p==0: os._exit(0)\nos.waitid(os.P_PID,p,os.WEXITED|os.WNOWAIT)\nprint("ready",flush=True)\nsys.stdin.read()',
  );
  const system = real();

  await vi.waitFor(
    async () => {
      const { anomalies } = await system.snapshot();
      const found = anomalies.find(({ kind, fact }) => kind === "process" && fact.includes("zombie"));
      expect(found?.fact).toMatch(/^\d+ zombies? \(/);
    },
    { timeout: 25_000, interval: 500 },
  );
  expect(readFileSync(`/proc/${parent.pid}/stat`, "utf8")).toContain("python3");
});

test("all processors busy, and who keeps them so", async ({ skip }) => {
  if (!existsSync("/usr/bin/python3")) skip("python3 is not installed");
  const cores = openProcfs().machine.stat()?.cores.length ?? 1;
  if (cores > 16) skip(`${cores} processors are more than a test should burn`);
  const burners = await Promise.all(
    Array.from({ length: cores + 1 }, () => program('print("ready",flush=True)\nwhile True: pass')),
  );
  const { anomalies, offenders } = await vi.waitFor(
    async () => {
      const snapshot = await real().snapshot();
      expect(about(snapshot, "CPU ")).toHaveLength(1);
      return snapshot;
    },
    { timeout: 25_000, interval: 100 },
  );
  for (const burner of burners) burner.kill("SIGKILL");

  expect(anomalies.find(({ kind }) => kind === "cpu")).toMatchObject({ nextStep: { id: "busiest-processes" } });
  expect(offenders).toHaveLength(3);
});

test("a mount whose program was stopped does not hold the snapshot, and gets no second question", async ({ skip }) => {
  const made = folder();
  const mount = join(made, "mount");
  execFileSync("mkdir", [mount, join(made, "source")]);
  if (!existsSync("/dev/fuse")) skip("there is no /dev/fuse");
  if (!existsSync("/usr/bin/bindfs")) skip("bindfs is not installed");
  const bindfs = spawn("bindfs", ["-f", join(made, "source"), mount], { stdio: "ignore" });
  let ended = false;
  bindfs.once("exit", () => (ended = true));
  onTestFinished(async () => {
    bindfs.kill("SIGCONT");
    execFileSync("umount", ["-l", mount], { stdio: "ignore" });
    await vi.waitFor(() => expect(ended).toBe(true), 10_000);
  });
  const isMounted = (): boolean => readFileSync("/proc/self/mountinfo", "utf8").includes(mount);
  await vi.waitFor(() => expect(ended || isMounted()).toBe(true), 10_000);
  if (ended) skip("this user may not mount FUSE file systems");

  const system = real();
  const well = await vi.waitFor(async () => {
    const snapshot = await real().snapshot();
    expect(snapshot.disks.map((disk) => disk.mount.point)).toContain(mount);
    return snapshot;
  }, 20_000);
  expect(about(well, mount)).toEqual([]);

  bindfs.kill("SIGSTOP");
  const asking = (): number =>
    execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line.startsWith("stat -f") && line.endsWith(mount)).length;
  for (let call = 0; call < 4; call++) {
    const snapshot = await system.snapshot();
    expect(about(snapshot, mount)).toMatchObject([
      { severity: "critical", kind: "mount", fact: expect.stringContaining("does not answer") },
    ]);
    expect(asking()).toBeLessThanOrEqual(1);
  }
});

test("a control group's memory limit", async ({ skip }) => {
  const root = "/sys/fs/cgroup/memory";
  if (!existsSync(`${root}/memory.limit_in_bytes`)) skip("there are no control groups of version 1 for memory here");
  const group = `${root}/te-system-${process.pid}`;
  try {
    execFileSync("mkdir", [group], { stdio: "ignore" });
    writeFileSync(`${group}/memory.limit_in_bytes`, String(64 * MB));
  } catch {
    skip("this user may not make control groups");
  }
  onTestFinished(() => void execFileSync("rmdir", [group], { stdio: "ignore" }));
  const child = await program(
    'import sys\nprint("started",flush=True)\nsys.stdin.readline()\nx=bytearray(58*1024*1024)\nprint("full",flush=True)\nsys.stdin.read()',
  );
  writeFileSync(`${group}/cgroup.procs`, String(child.pid));
  child.stdin?.write("\n");
  await once(child.stdout as NodeJS.ReadableStream, "data");
  // As a server in that group sees it.
  const proc = folder();
  const named = readFileSync("/proc/self/cgroup", "utf8").replace(/:memory:.*/, `:memory:/te-system-${process.pid}`);
  execFileSync("sh", [
    "-c",
    `cp -r /proc/meminfo /proc/stat /proc/loadavg /proc/uptime /proc/vmstat "${proc}" && mkdir "${proc}/self"`,
  ]);
  writeFileSync(join(proc, "self/cgroup"), named);
  const system = openSystem({ procfs: openProcfs({ root: proc }), thresholds: THRESHOLDS, procRoot: proc });
  const snapshot = await system.snapshot();
  child.kill("SIGKILL");
  await once(child, "exit");

  expect(snapshot.limits?.group.memory.limitBytes).toBe(64 * MB);
  expect(about(snapshot, "container's memory")).toMatchObject([
    { kind: "limit", fact: expect.stringContaining("of 64MB") },
  ]);
});
