import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, vi } from "vitest";
import { freshDir, plant } from "./tree.js";

/** A mount table that calls `dir` a network mount, although it is a local folder. */
export function tableWith(dir: string): string {
  const file = `${freshDir()}/mountinfo`;
  writeFileSync(
    file,
    `${readFileSync("/proc/self/mountinfo", "latin1")}999 1 0:999 / ${dir} rw - nfs4 server:/export rw\n`,
  );
  return file;
}

export interface Fuse {
  readonly dir: string;
  readonly mount: string;
  stop(): void;
  resume(): void;
}

/** A real FUSE mount of a folder, whose program can be stopped: to the kernel a server that does not answer. */
export async function fuse(skip: (note: string) => never, content: Readonly<Record<string, string>>): Promise<Fuse> {
  const dir = freshDir();
  const mount = `${dir}/root/mnt`;
  plant(dir, Object.fromEntries(Object.entries(content).map(([name, each]) => [`source/${name}`, each])));
  mkdirSync(mount, { recursive: true });
  if (!existsSync("/dev/fuse")) skip("there is no /dev/fuse");
  let program: ChildProcess;
  try {
    execFileSync("bindfs", ["--version"], { stdio: "ignore" });
    program = spawn("bindfs", ["-f", "-o", "direct_io", `${dir}/source`, mount], { stdio: "ignore" });
  } catch {
    return skip("bindfs is not installed");
  }
  let ended = false;
  program.once("exit", () => (ended = true));
  onTestFinished(async () => {
    program.kill("SIGCONT");
    execFileSync("umount", ["-l", mount], { stdio: "ignore" });
    await vi.waitFor(() => expect(ended).toBe(true), 5000);
  });
  await vi.waitFor(
    () => expect(ended || readFileSync("/proc/self/mountinfo", "utf8").includes(mount)).toBe(true),
    5000,
  );
  if (ended) skip("this user may not mount FUSE file systems");
  return {
    dir,
    mount,
    stop: () => void program.kill("SIGSTOP"),
    resume: () => void program.kill("SIGCONT"),
  };
}
