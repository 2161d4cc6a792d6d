import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that looks like what the kernel shows; it is gone after the test. */
export function tree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "procfs-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

/** A line of /proc/PID/stat. */
export function statLine(
  pid: number,
  comm: string,
  { ppid = 1, ticks = 0, start = 100, flags = 0, state = "S" } = {},
): string {
  const rest = [
    ppid,
    pid,
    pid,
    0,
    -1,
    flags,
    0,
    0,
    0,
    0,
    ticks,
    0,
    0,
    0,
    20,
    -5,
    3,
    0,
    start,
    1_000_000,
    25,
    18446744073709551615n,
  ];
  return `${pid} (${comm}) ${state} ${rest.join(" ")} 0 0\n`;
}

interface Facts {
  readonly uid?: number;
  readonly argv?: readonly string[];
  readonly ppid?: number;
  readonly ticks?: number;
  readonly start?: number;
  readonly flags?: number;
}

export function processFiles(pid: number, comm: string, facts: Facts = {}): Record<string, string> {
  const { uid = 1000, argv = [comm], ...line } = facts;
  return {
    [`${pid}/stat`]: statLine(pid, comm, line),
    [`${pid}/status`]: `Name:\t${comm}\nTgid:\t${pid}\nUid:\t0\t${uid}\t${uid}\t${uid}\n`,
    [`${pid}/cmdline`]: argv.map((argument) => `${argument}\0`).join(""),
  };
}
