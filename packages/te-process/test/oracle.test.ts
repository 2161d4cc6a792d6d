import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openProcfs } from "@llmc/procfs";
import pidusage from "pidusage";
import psList from "ps-list";
import { expect, onTestFinished, test, vi } from "vitest";
import { listProcesses, viewOf } from "../src/index.js";
import { freshFolder, said, start, world } from "./programs.js";

test("ps-list and pidusage see the same process with the same memory", async () => {
  const { procfs, view } = world();
  const child = await start(process.execPath, [
    "-e",
    "const kept = Buffer.alloc(5e7, 1); console.log(kept.length); setInterval(() => {}, 1e6)",
  ]);
  await said(child);

  const { processes, tell } = await listProcesses(procfs, view, { sort: "pid", name: "Buffer.alloc(5e7" });
  const [theirs] = (await psList()).filter(({ pid }) => pid === child.pid);
  const used = await pidusage(child.pid);

  const ours = processes.find(({ pid }) => pid === child.pid);
  expect(ours).toMatchObject({ ppid: theirs?.ppid, uid: theirs?.uid });
  expect(tell(ours!).command).toContain("setInterval");
  expect(ours!.rssBytes / used.memory).toBeGreaterThan(0.8);
  expect(ours!.rssBytes / used.memory).toBeLessThan(1.25);
});

test("where there is no /proc, `ps` tells", async () => {
  const child = await start("/bin/sleep", ["605.5"]);
  const procfs = openProcfs({ root: freshFolder() });
  const view = viewOf({ uid: process.geteuid?.() ?? 0, listOtherUsers: false, userName: procfs.userName });

  const { processes, tell, intervalMs } = await listProcesses(procfs, view, { sort: "pid", name: "sleep 605.5" });

  expect([processes.map(({ pid }) => pid), intervalMs]).toEqual([[child.pid], 0]);
  expect(tell(processes[0]!)).toMatchObject({ command: "/bin/sleep 605.5", startedAtMs: null });
});

test("a container without `ps` needs none; without /proc as well nothing can tell, which is said", async () => {
  vi.stubEnv("PATH", freshFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const { procfs, view } = world();

  const { processes } = await listProcesses(procfs, view, { sort: "pid" });

  expect(processes.map(({ pid }) => pid)).toContain(process.pid);
  await expect(listProcesses(openProcfs({ root: freshFolder() }), view, { sort: "pid" })).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
    hint: expect.stringContaining("procps"),
  });
});

test("10,000 processes, stuck and dead ones among them: all are told, and others get their turn meanwhile", async () => {
  const root = freshFolder();
  const uid = process.geteuid?.() ?? 0;
  for (const pid of [process.pid, ...Array.from({ length: 10_000 }, (_, at) => 100_000 + at)]) {
    const state = pid % 5000 === 7 ? "D" : pid % 5000 === 8 ? "Z" : "S";
    mkdirSync(join(root, `${pid}`));
    writeFileSync(
      join(root, `${pid}/stat`),
      `${pid} (made up) ${state} 1 1 1 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 1 0 5 0 10 0\n`,
    );
    writeFileSync(join(root, `${pid}/status`), `Uid:\t${uid}\t${uid}\t${uid}\t${uid}\n`);
    writeFileSync(join(root, `${pid}/cmdline`), "made\0up\0");
  }
  const procfs = openProcfs({ root });
  const view = viewOf({ uid, listOtherUsers: false, userName: procfs.userName });
  let turns = 0;
  const look = setInterval(() => (turns += 1), 1);
  onTestFinished(() => clearInterval(look));

  const { processes } = await listProcesses(procfs, view, { sort: "cpu" });

  expect(processes).toHaveLength(10_001);
  expect(turns).toBeGreaterThan(5);
  expect(processes.filter(({ state }) => state === "D" || state === "Z")).toHaveLength(4);
});
