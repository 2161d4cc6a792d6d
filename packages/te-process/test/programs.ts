import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProcfs, type Procfs } from "@llmc/procfs";
import { onTestFinished } from "vitest";
import { viewOf, type View } from "../src/index.js";

export type Child = ChildProcess & { readonly pid: number };

/** Generous: it says that something never happens, not how long it takes. */
export const LONG = { timeout: 25_000 };

export async function start(program: string, args: readonly string[], options: SpawnOptions = {}): Promise<Child> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], ...options });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  return child as Child;
}

/** A shell that prints "ready" once it is set up as `script` says. */
export async function shell(script: string, options: SpawnOptions = {}): Promise<Child> {
  const child = await start("/bin/sh", ["-c", script], options);
  await said(child);
  return child;
}

export async function said(child: Child): Promise<string> {
  const [chunk] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return chunk.toString();
}

export function world(options: { listOtherUsers?: boolean; uid?: number } = {}): { procfs: Procfs; view: View } {
  const procfs = openProcfs();
  const uid = options.uid ?? process.geteuid?.() ?? 0;
  return { procfs, view: viewOf({ uid, listOtherUsers: options.listOtherUsers ?? false, userName: procfs.userName }) };
}

export const isRoot = process.geteuid?.() === 0;
export const NOBODY = 65_534;

/** Whether this machine has the program; told where it has not, because a test is skipped then. */
export function has(program: string): boolean {
  const isThere = spawnSync("which", [program], { stdio: "ignore" }).status === 0;
  if (!isThere) console.warn(`skipped: ${program} is not installed`);
  return isThere;
}

export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "processes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
