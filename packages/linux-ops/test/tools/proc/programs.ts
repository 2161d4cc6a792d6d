import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

export type Child = ChildProcess & { readonly pid: number };

/** Generous: it says that something never happens, not how long it takes. */
export const LONG = { timeout: 25_000 };
export const isRoot = process.geteuid?.() === 0;
export const NOBODY = 65_534;

/** In a group of its own, which ends with the test. */
export async function start(program: string, args: readonly string[], options: SpawnOptions = {}): Promise<Child> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], detached: true, ...options });
  await once(child, "spawn");
  onTestFinished(() => endGroup(child.pid ?? 0));
  return child as Child;
}

/** A shell that prints "ready" once it is set up as `script` says. */
export async function shell(script: string): Promise<Child> {
  const child = await start("/bin/sh", ["-c", script]);
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return child;
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}
