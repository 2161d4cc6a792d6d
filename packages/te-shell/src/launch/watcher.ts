import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineUnavailableError } from "@llmc/errors";
import { readStat } from "@llmc/te-run";

/**
 * Waits for the end of its stdin, which is ours, and then ends every process whose environment has the mark, until two
 * looks in a row find none: one of them may have forked behind the first.
 */
const SCRIPT = `
cat >/dev/null
quiet=0
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  found=
  for file in $(grep -laF "$1" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -KILL "\${pid%/environ}" && found=1
  done
  if [ -z "$found" ]; then quiet=$((quiet + 1)); [ "$quiet" -ge 2 ] && break; else quiet=0; fi
done
[ -n "$2" ] && rm -f "$2"
`;

/**
 * Where no PID namespace holds commands, or none yet: a process of its own that outlives us and ends them, and a note on
 * disk for the next start, should the watcher be killed too.
 */
export class Watcher {
  /** In the environment of all commands of this server. */
  readonly mark = `W${randomBytes(16).toString("hex")}`;
  readonly #folder: string | null;
  #child: ChildProcess | undefined;

  constructor(stateDir: string | null) {
    this.#folder = stateDir === null ? null : join(stateDir, "watched");
  }

  /** Throws where no process is to be had for it: what it cannot hold does not run. */
  start(): void {
    if (this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null) return;
    const note = this.#leaveNote();
    const child = spawn("/bin/sh", ["-c", SCRIPT, "sh", this.mark, note ?? ""], {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    child.on("error", () => undefined);
    if (child.pid === undefined)
      throw new EngineUnavailableError(
        "The watcher of commands",
        "the limit of processes, of open files or of memory is reached",
        "Try again when fewer processes run.",
      );
    child.stdin.on("error", () => undefined);
    // It must not keep us from ending: our end is what it waits for.
    child.unref();
    (child.stdin as unknown as { unref(): void }).unref();
    this.#child = child;
  }

  /** Nothing of ours is left: the watcher has nothing to do. */
  close(): void {
    this.#child?.stdin?.destroy();
  }

  #leaveNote(): string | undefined {
    if (this.#folder === null) return undefined;
    const note = join(this.#folder, this.mark);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(note, `${process.pid} ${readStat(process.pid)?.start ?? 0}\n`, { mode: 0o600 });
      return note;
    } catch {
      // A full disk must not keep a command from making room: the watcher itself is there.
      return undefined;
    }
  }
}

const MARK = /^W[0-9a-f]{32}$/;

/** Ends what commands of servers that are gone have left behind, when their watchers could not. */
export async function sweepWatched(stateDir: string): Promise<void> {
  const folder = join(stateDir, "watched");
  const marks = (await readdir(folder).catch(() => [] as string[])).filter((name) => MARK.test(name));
  for (const mark of marks) {
    const [pid, start] = (await readFile(join(folder, mark), "latin1").catch(() => "")).split(" ").map(Number);
    if (pid === undefined || start === undefined || readStat(pid)?.start === start) continue;
    await endMarked(mark);
    rmSync(join(folder, mark), { force: true });
  }
}

async function endMarked(mark: string): Promise<void> {
  for (const name of await readdir("/proc")) {
    if (!/^[0-9]+$/.test(name)) continue;
    const environment = await readFile(`/proc/${name}/environ`, "latin1").catch(() => "");
    if (!environment.includes(mark)) continue;
    try {
      process.kill(Number(name), "SIGKILL");
    } catch {
      // It was faster, or is another user's.
    }
  }
}
