import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { openProcfs } from "@llmc/procfs";
import { openCommands, type Commands } from "@llmc/te-shell";
import { onTestFinished } from "vitest";
import { ManagedProcesses, type ManagedLimits, type ManagedProcess } from "../../src/index.js";
import type { WaitOptions, Why } from "../../src/managed/wait.js";

/** `sandbox`: the best that this machine has. */
export const KINDS = ["off", "sandbox", "namespaces"] as const;
export type Kind = (typeof KINDS)[number];
export const NOTHING_CLOSED = { hidden: [], guarded: [], pinned: [] };
export const SIZE = { cols: 80, rows: 24 };

export interface Stage {
  readonly managed: ManagedProcesses;
  readonly commands: Commands;
  readonly root: string;
  start(command: string | readonly string[], options?: StartOptions): Promise<ManagedProcess>;
}

export interface StartOptions {
  readonly pty?: boolean;
  readonly owner?: string;
}

export interface StageOptions {
  readonly limits?: Partial<ManagedLimits>;
  readonly nodePty?: boolean;
  readonly maxMemoryMb?: number;
  readonly maxFileBytes?: number;
  /** False if the kernel tells nothing of a program's input. */
  readonly isTold?: boolean;
}

/** A registry, and programs to start in it: on the machine itself, or in its sandbox. */
export async function stage(
  kind: Kind,
  { limits, nodePty = true, maxMemoryMb = 0, maxFileBytes, isTold = true }: StageOptions = {},
): Promise<Stage> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "managed-")));
  const { processes } = openProcfs();
  const commands = openCommands({
    lists: { allowUnsafe: true },
    sandbox: kind === "off" ? "off" : "auto",
    network: false,
    hostView: false,
    pathExtra: [],
    sandboxRead: [],
    sandboxWrite: [],
    envPass: [],
    maxPids: 512,
    maxMemoryMb,
    ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
    home: homedir(),
    roots: () => [{ path: root, real: root }],
    stateDir: null,
    ...(kind === "namespaces" ? { boxKind: kind } : {}),
  });
  const managed = new ManagedProcesses({
    limits: { perOwner: 8, total: 16, idleMs: 3_600_000, ...limits },
    waitsForInput: (pid) => (isTold ? processes.waitsForInput(pid) : undefined),
    ...(nodePty ? {} : { terminals: async () => null }),
  });
  onTestFinished(async () => {
    await managed.close();
    await commands.close();
    rmSync(root, { recursive: true, force: true });
  });

  return {
    managed,
    commands,
    root,
    async start(command, { pty = false, owner = "me" } = {}) {
      const outer = pty && (await managed.hasTerminals());
      const launch = await commands.prepare({
        command: typeof command === "string" ? { line: command } : { argv: command },
        use: "process",
        cwd: root,
        closed: NOTHING_CLOSED,
        session: { id: owner, agentId: "a", model: "m" },
        ...(pty ? { terminal: { ...SIZE, outer } } : {}),
      });
      if ("missing" in launch) throw new Error(`${launch.missing} is missing`);
      const words = typeof command === "string" ? command : command.join(" ");
      return managed.start({ owner, command: words, cwd: root, launch, size: pty ? SIZE : undefined });
    },
  };
}

/** Generous: what is looked for comes; the time is for machines that are busy. */
export const LONG_MS = 25_000;

/** What it says next, and why that is all. */
export async function heard(
  process: ManagedProcess,
  options: Partial<WaitOptions> = {},
): Promise<{ text: string; why: Why }> {
  const why = await process.wait({ ms: LONG_MS, ...options });
  return { text: process.take({ maxBytes: 100_000 }).text, why };
}
