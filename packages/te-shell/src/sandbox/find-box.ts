import { readFile } from "node:fs/promises";
import type { Remedy } from "@llmc/errors";
import { whyMissing, findProgram, run } from "@llmc/te-run";
import { wrap } from "../limits/wrapper.js";
import { boxWithBubblewrap, type BubblewrapTools } from "./bubblewrap-box.js";
import type { BoxPlan, Boxed } from "./mounts.js";
import { boxWithNamespaces, READY } from "./namespaces-box.js";

export interface Box {
  readonly kind: "bubblewrap" | "namespaces";
  /** What it lacks, for health: no filter of system calls … */
  readonly lacks: string | undefined;
  wrap(plan: BoxPlan, argv: readonly string[]): Boxed;
  /** Whether the program was executed, from what came on the descriptor 3. */
  ran(status: string): boolean;
}

export interface NoBox {
  readonly missing: string;
  readonly hint: Remedy;
}

export interface BoxSources {
  /** `require` takes bubblewrap only; `namespaces` the other one only, for tests. */
  readonly wanted: "auto" | "require" | "namespaces";
  /** Folders in which bwrap is looked for; default: the system's. */
  readonly path: string | undefined;
  readonly seccomp: string | null;
  readonly list: BubblewrapTools["list"];
  /** An empty folder of ours. */
  readonly ground: string;
  readonly hostView: boolean;
}

const PROBE = { maxBytes: 16 * 1024, timeoutMs: 20_000, baseEnv: {} };

/** The best box that holds on this machine, tried out; or why there is none, and what to do about it. */
export async function findBox(sources: BoxSources): Promise<Box | NoBox> {
  const bubblewrap = sources.wanted === "namespaces" ? undefined : await tryBubblewrap(sources);
  if (bubblewrap !== undefined && (!("missing" in bubblewrap) || sources.wanted === "require")) return bubblewrap;
  // A look at the host takes a user namespace around all of it, which only bubblewrap makes as it has to be.
  const namespaces = sources.hostView ? undefined : await tryNamespaces(sources);
  if (namespaces !== undefined && !("missing" in namespaces)) return namespaces;
  // Bubblewrap would fail too in a container without namespaces, so installing it would not help.
  if (namespaces !== undefined && namespaces.missing.startsWith(CONTAINER)) return namespaces;
  return bubblewrap ?? namespaces ?? (await noBox("nothing can look at the host from a sandbox"));
}

async function tryBubblewrap({ path, seccomp, list, hostView }: BoxSources): Promise<Box | NoBox> {
  const bwrap = await findProgram("bwrap", path);
  if (bwrap === null) return await noBox("bubblewrap (bwrap) is not installed");
  const isRoot = process.getuid?.() === 0;
  const tools: BubblewrapTools = { bwrap, setpriv: await findProgram("setpriv"), seccomp, isRoot, list };
  const box: Box = {
    kind: "bubblewrap",
    lacks: seccomp === null ? `no filter of system calls for ${process.arch}` : undefined,
    wrap: (plan, argv) => boxWithBubblewrap(tools, plan, argv),
    ran: (status) => status.includes('"exit-code"'),
  };
  return await tried(box, hostView, "bubblewrap does not come to an end");
}

async function tryNamespaces({ ground: searchRoot }: BoxSources): Promise<Box | NoBox> {
  const [unshare, setpriv, pivot] = await Promise.all(
    ["unshare", "setpriv", "pivot_root"].map((name) => findProgram(name)),
  );
  if (unshare === null || setpriv === null || pivot === null || unshare === undefined || setpriv === undefined)
    return await noBox("neither bubblewrap (bwrap) nor util-linux (unshare, setpriv, pivot_root) is installed");
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const tools = { unshare, setpriv, isRoot: uid === 0, uid, gid, ground: searchRoot };
  const box: Box = {
    kind: "namespaces",
    lacks: "no filter of system calls; bubblewrap would bring one",
    wrap: (plan, argv) => boxWithNamespaces(tools, plan, argv),
    ran: (status) => status.includes(READY),
  };
  return await tried(box, false, "unshare does not come to an end");
}

/** A box that has shown what it is for: what it is not given is not there, and nothing of ours can be written. */
async function tried(box: Box, hostView: boolean, hangs: string): Promise<Box | NoBox> {
  const test = await findProgram("test");
  if (test === null) return await noBox("there is no program `test` to try it with");
  const system = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix", "/gnu"];
  const plan: BoxPlan = {
    mounts: [
      ...system.map((at) => ({ kind: "bind", from: at, at, write: false, isOptional: true }) as const),
      { kind: "proc", at: "/proc" },
      { kind: "dev", at: "/dev" },
    ],
    cwd: "/",
    network: true,
    hostView,
    identity: undefined,
    keepsSession: true,
  };
  const { argv, open } = box.wrap(plan, [test, "!", "-e", "/etc/passwd", "-a", "!", "-w", "/usr"]);
  const { file, args } = wrap(argv, { maxFileBytes: 2 ** 30, maxOpenFiles: 1024, joins: [] }, open);
  const { exitCode, ended, stderr } = await run([file, ...args], PROBE);
  if (ended !== "exit") return await noBox(hangs);
  if (exitCode === 0) return box;
  const why = await whyMissing(stderr.toString());
  return await noBox(box.kind === "bubblewrap" ? why : why.replaceAll("bubblewrap does", "namespaces do"));
}

const CONTAINER = "this container does not allow";

/** Tells the operator by cause how to get a sandbox. */
export async function noBox(
  missing: string,
  inContainer: () => Promise<boolean> = isContainer,
  isRoot = process.getuid?.() === 0,
): Promise<NoBox> {
  const told = (why: string, fix: string): NoBox => ({ missing: why, hint: { id: "commands-off", why, fix } });
  if (/not installed|^neither|too old/.test(missing))
    return told(missing, "Install bubblewrap (apt, dnf or pacman install bubblewrap)");
  if (missing.includes("AppArmor"))
    return told(
      missing,
      `Let bwrap make user namespaces: write "abi <abi/4.0>, include <tunables/global> profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }" to /etc/apparmor.d/bwrap and load it with apparmor_parser -r`,
    );
  if (missing.includes("switched off")) return told(missing, `Set that sysctl so that user namespaces may be made`);
  if (/no namespace can be made/.test(missing) && (await inContainer()))
    return told(`${CONTAINER} ${isRoot ? "namespaces" : "user namespaces"}`, containerFix(isRoot));
  // A container's /proc has covers over it, and the kernel gives nobody in it one without.
  if (/mount proc/i.test(missing) || (await inContainer())) return told(missing, containerFix(isRoot));
  return told(missing, "Let bwrap make user namespaces here");
}

/**
 * Returns the remedy against three bounds of a container: its seccomp filter refuses namespaces, AppArmor refuses
 * mounts, and masks over /proc refuse a new /proc.
 */
function containerFix(isRoot: boolean): string {
  const options = isRoot
    ? ["--cap-add SYS_ADMIN", "--security-opt apparmor=unconfined"]
    : ["seccomp", "apparmor", "systempaths"].map((name) => `--security-opt ${name}=unconfined`);
  return `Start it with ${options.join(" ")}`;
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
