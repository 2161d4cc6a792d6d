import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface Floor extends AsyncDisposable {
  /** Milliseconds for one look at all processes. */
  once(): Promise<number>;
}

/** A reader of /proc in C, compiled here; null where there is no compiler. */
export function openFloor(fixtures: string, work: string): Floor | null {
  const program = join(work, "proc-floor");
  try {
    execFileSync("cc", ["-O2", "-o", program, join(fixtures, "proc-floor.c")], { stdio: "ignore" });
  } catch {
    return null;
  }
  const child = spawn(program, [], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  return {
    async once() {
      child.stdin.write("\n");
      const [line] = (await once(lines, "line")) as [string];
      return Number.parseFloat(line) / 1000;
    },
    async [Symbol.asyncDispose]() {
      const exit = once(child, "exit");
      child.stdin.end();
      await exit;
    },
  };
}
