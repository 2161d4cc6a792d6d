import { accessSync, constants, statSync } from "node:fs";
import { isDead, readStat, start, type Started, type StartOptions } from "@llmc/te-run";
import { quote, type Wrapped } from "../limits/wrapper.js";

/** Longer ones would meet limits of the kernel in the shell, which words them worse than we do. */
const MAX_CHARS = 16 * 1024;

/**
 * A shell in the bounds of a command that is not there yet. Its stdin is its script: it waits there, becomes what it reads, and
 * ends by itself when we do.
 */
export class WaitingShell {
  readonly #started: Started;
  #isUsed = false;

  private constructor(started: Started) {
    this.#started = started;
    this.#hold(false);
  }

  static async start({ file, args }: Wrapped, options: Pick<StartOptions, "env" | "extra">): Promise<WaitingShell> {
    // No folder of a root: a file system that we wait in could not be unmounted.
    const started = await start(file, [file, ...args], { ...options, cwd: "/", stdin: "pipe" });
    return new WaitingShell(started);
  }

  /** Whether its end is known. */
  get hasEnded(): boolean {
    const { child } = this.#started;
    return child.exitCode !== null || child.signalCode !== null;
  }

  #waits(): boolean {
    if (this.#isUsed || this.hasEnded) return false;
    // Its end may be there before the news of it; until then the pid is its own.
    const stat = readStat(this.#started.pid);
    return stat === undefined || !isDead(stat);
  }

  /** It goes to the folder and becomes the command, with /dev/null as stdin; undefined where that takes a fresh start. */
  become(words: readonly string[], cwd: string): Started | undefined {
    const line = words.map(quote).join(" ");
    if (!this.#waits() || line.length > MAX_CHARS || !canEnter(cwd)) return undefined;
    this.#isUsed = true;
    this.#hold(true);
    this.#started.child.stdin?.end(`cd ${quote(cwd)} || exit 126\nunset OLDPWD\nexec "$@" ${line} </dev/null\n`);
    return this.#started;
  }

  /** Settles when it has ended. One that became a command is not ours to end. */
  async end(): Promise<void> {
    if (this.#isUsed) return;
    this.#isUsed = true;
    this.#started.child.kill("SIGKILL");
    // Whoever waits for its end is to see it.
    this.#started.child.ref();
    await this.#started.exit;
    for (const stream of this.#started.child.stdio) stream?.destroy();
  }

  /** Whether we stay for it. While it waits it must not keep us from ending. */
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
