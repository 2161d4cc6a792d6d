import { accessSync, constants, statSync } from "node:fs";
import { isDead, readStat, start, type Started, type StartOptions } from "@llmc/te-run";
import { quote, type Wrapped } from "../limits/wrapper.js";

/** Longer lines could hit limits of the kernel inside the shell, whose messages say less than those of a fresh start. */
const MAX_CHARS = 16 * 1024;

/**
 * A shell inside the limits of a command that is not known yet. The shell waits for the command on stdin, becomes it,
 * and ends by itself when this server ends.
 */
export class PrestartedShell {
  readonly #started: Started;
  #isUsed = false;

  private constructor(started: Started) {
    this.#started = started;
    this.#hold(false);
  }

  static async start({ file, args }: Wrapped, options: Pick<StartOptions, "env" | "extra">): Promise<PrestartedShell> {
    // No folder of a root: a file system that we wait in could not be unmounted.
    const started = await start(file, [file, ...args], { ...options, cwd: "/", stdin: "pipe" });
    return new PrestartedShell(started);
  }

  /** Whether the end of the shell is known. */
  get hasEnded(): boolean {
    const { child } = this.#started;
    return child.exitCode !== null || child.signalCode !== null;
  }

  #waits(): boolean {
    if (this.#isUsed || this.hasEnded) return false;
    // The shell may end before Node reports its end; until then the kernel does not reuse the pid.
    const stat = readStat(this.#started.pid);
    return stat === undefined || !isDead(stat);
  }

  /** Makes the shell the command, in the folder and with /dev/null as stdin; undefined if a fresh start is needed. */
  become(words: readonly string[], cwd: string, redirection = ""): Started | undefined {
    const line = words.map(quote).join(" ");
    if (!this.#waits() || line.length > MAX_CHARS || !canEnter(cwd)) return undefined;
    this.#isUsed = true;
    this.#hold(true);
    this.#started.child.stdin?.end(
      `cd ${quote(cwd)} || exit 126\nunset OLDPWD\nexec "$@" ${line} </dev/null ${redirection}\n`,
    );
    return this.#started;
  }

  /** Ends the shell and settles after its end. A shell that became a command is left alone. */
  async end(): Promise<void> {
    if (this.#isUsed) return;
    this.#isUsed = true;
    this.#started.child.kill("SIGKILL");
    // The caller waits for the end, so this process must stay for it.
    this.#started.child.ref();
    await this.#started.exit;
    for (const stream of this.#started.child.stdio) stream?.destroy();
  }

  /** Sets whether this process stays for the shell. A shell that waits must not keep the server alive. */
  #hold(doesHold: boolean): void {
    const { child } = this.#started;
    const all: readonly unknown[] = [child, ...child.stdio];
    for (const each of all.filter(canHold)) {
      if (doesHold) each.ref();
      else each.unref();
    }
  }
}

interface Holding {
  ref(): void;
  unref(): void;
}

/** Node's pipes are sockets, which its types do not say. */
function canHold(each: unknown): each is Holding {
  return typeof each === "object" && each !== null && "ref" in each && "unref" in each;
}

function canEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
