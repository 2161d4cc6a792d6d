import { readdirSync, readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";

/** A variable for one test, by which its processes are found again wherever they went. */
export function freshMark(): Record<string, string> {
  return { TEST_MARK: randomUUID() };
}

/** Command lines of the living processes whose environment has the mark. */
export function marked(mark: Record<string, string>): string[] {
  const wanted = Object.entries(mark).map(([name, value]) => `${name}=${value}`);
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((pid) => {
      const environment = text(`/proc/${pid}/environ`).split("\0");
      if (!wanted.every((entry) => environment.includes(entry))) return [];
      return [`${pid} ${text(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim()}`];
    });
}

/** For what a test left behind on purpose. */
export function endMarked(mark: Record<string, string>): void {
  for (const line of marked(mark)) process.kill(Number.parseInt(line, 10), "SIGKILL");
}

/** Command lines of the living processes that have the text in theirs. */
export function named(part: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name) && name !== String(process.pid))
    .map((pid) => text(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim())
    .filter((line) => line.includes(part));
}

function text(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
