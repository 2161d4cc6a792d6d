import { readFile } from "node:fs/promises";
import { whyMissing } from "../cell/why-missing.js";
import { findProgram } from "../find-program.js";
import { run } from "../run.js";
import { boxWithBubblewrap, type BubblewrapTools } from "./bubblewrap-box.js";
import type { BoxPlan, Boxed } from "./mounts.js";

export interface Box {
  readonly kind: "bubblewrap" | "namespaces";
  /** What it lacks, for health: no filter of system calls … */
  readonly lacks: string | undefined;
  wrap(plan: BoxPlan, argv: readonly string[]): Boxed;
}

export interface NoBox {
  readonly missing: string;
  readonly hint: string;
}

export interface BoxSources {
  /** `require` takes bubblewrap only. */
  readonly wanted: "auto" | "require";
  /** Folders in which bwrap is looked for; default: the system's. */
  readonly path: string | undefined;
  readonly seccomp: string | null;
  readonly network: boolean;
  readonly hostView: boolean;
}

const PROBE = { maxBytes: 16 * 1024, timeoutMs: 20_000, baseEnv: {} };

/** The best box that holds on this machine, tried out; or why there is none, and what to do about it. */
export async function findBox(sources: BoxSources): Promise<Box | NoBox> {
  const bubblewrap = await tryBubblewrap(sources);
  return bubblewrap;
}

async function tryBubblewrap({ path, seccomp, network, hostView }: BoxSources): Promise<Box | NoBox> {
  const bwrap = await findProgram("bwrap", path);
  if (bwrap === null) return await noBox("bubblewrap (bwrap) is not installed");
  const isRoot = process.getuid?.() === 0;
  const tools: BubblewrapTools = { bwrap, setpriv: await findProgram("setpriv"), seccomp, isRoot };
  const box: Box = {
    kind: "bubblewrap",
    lacks: seccomp === null ? `no filter of system calls for ${process.arch}` : undefined,
    wrap: (plan, argv) => boxWithBubblewrap(tools, plan, argv),
  };
  const test = await findProgram("test");
  if (test === null) return await noBox("there is no program `test` to try it with");
  const plan: BoxPlan = {
    mounts: [
      ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix", "/gnu"].map(
        (at) => ({ kind: "bind", from: at, at, write: false, isOptional: true }) as const,
      ),
      { kind: "proc", at: "/proc" },
      { kind: "dev", at: "/dev" },
    ],
    cwd: "/",
    network,
    hostView,
    identity: undefined,
    keepsSession: true,
  };
  const { argv } = boxWithBubblewrap({ ...tools, seccomp: null }, plan, [test, "!", "-e", "/etc/passwd"]);
  const { exitCode, ended, stderr } = await run(argv as [string, ...string[]], PROBE);
  if (ended !== "exit") return await noBox("bubblewrap does not come to an end");
  return exitCode === 0 ? box : await noBox(await whyMissing(stderr.toString()));
}

/** By cause: what the operator has to do. */
export async function noBox(missing: string): Promise<NoBox> {
  return { missing, hint: `${await remedy(missing)} Or the operator sets mcp.linux_ops.commands.sandbox = "off".` };
}

async function remedy(missing: string): Promise<string> {
  if (missing.includes("not installed") || missing.includes("too old"))
    return "Install bubblewrap (apt, dnf or pacman install bubblewrap).";
  if (missing.includes("AppArmor"))
    return `Let bwrap make user namespaces: write "abi <abi/4.0>, include <tunables/global> profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }" to /etc/apparmor.d/bwrap and load it with apparmor_parser -r.`;
  if (missing.includes("switched off")) return `Set that sysctl so that user namespaces may be made (${missing}).`;
  if (await isContainer())
    return "Inside a container: start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined, or with --cap-add SYS_ADMIN.";
  return "bwrap has to be able to make user namespaces here.";
}

async function isContainer(): Promise<boolean> {
  const marks = await Promise.all(
    ["/.dockerenv", "/run/.containerenv"].map((path) =>
      readFile(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  const cgroup = await readFile("/proc/1/cgroup", "latin1").catch(() => "");
  return marks.includes(true) || /docker|kubepods|containerd|lxc/.test(cgroup);
}
