import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** A process that starts may become another one, and is looked at more closely until then. */
const SETTLED_MS = 6000;

/** So many processes on the machine, the others among them, until it is disposed of. */
export async function openCrowd(total: number): Promise<AsyncDisposable> {
  const missing = Math.max(0, total - readdirSync("/proc").filter((name) => /^\d+$/.test(name)).length);
  const script = 'i=0; while [ $i -lt "$1" ]; do sleep 3600 & i=$((i+1)); done; echo ready; read line';
  const child = spawn("/bin/sh", ["-c", script, "sh", String(missing)], {
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  const end = (): void => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // All of it has ended.
    }
  };
  process.once("exit", end);
  await once(child.stdout, "data");
  await delay(SETTLED_MS);
  return {
    async [Symbol.asyncDispose]() {
      const exit = once(child, "exit");
      end();
      await exit;
      process.off("exit", end);
    },
  };
}
