import type { ChildProcess } from "node:child_process";
import { closeSync, constants, lstatSync, openSync } from "node:fs";
import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { O_PATH } from "../process/open-flags.js";
import { GATE_FD, READY_FD, STATUS_FD } from "./arguments.js";

/** More than bubblewrap ever writes. */
const MAX_CHARS = 4096;

/** What we and bubblewrap tell each other while it makes a cell. */
export class Channels {
  readonly #streams = new Map<number, Duplex>();
  #status = "";
  #isOver = Promise.resolve();

  open(child: ChildProcess): void {
    for (const fd of [STATUS_FD, GATE_FD, READY_FD]) {
      const stream = child.stdio[fd];
      if (!(stream instanceof Duplex)) continue;
      // bubblewrap may be gone before it has read; then its end is what counts.
      stream.on("error", () => undefined);
      this.#streams.set(fd, stream);
    }
    this.#isOver = this.#closing(STATUS_FD);
    this.#streams.get(STATUS_FD)?.on("data", (chunk: Buffer) => {
      if (this.#status.length < MAX_CHARS) this.#status += chunk.toString("latin1");
    });
  }

  /**
   * The root of the cell, open, when all its mounts are in place; undefined when bubblewrap ended before. It closes the
   * descriptor of its last file when that is made, which is how we learn of it.
   */
  async mounted(ready: string): Promise<number | undefined> {
    const stream = this.#streams.get(READY_FD);
    const made = this.#closing(READY_FD);
    stream?.resume();
    stream?.end();
    await made;
    const pid = /"child-pid": ([0-9]+)/.exec(this.#status)?.[1];
    // Moments later bubblewrap makes the place of the mounts its root.
    while (pid !== undefined && this.#streams.get(STATUS_FD)?.closed === false) {
      const root = rootAt(`/proc/${pid}/root`, ready);
      if (root !== undefined) return root;
      await nextTurn();
    }
    return undefined;
  }

  letStart(): void {
    this.#streams.get(GATE_FD)?.end("1");
  }

  /** Whether exit code and output are the engine's. Settles when bubblewrap has ended. */
  async engineRan(): Promise<boolean> {
    await this.#isOver;
    // Written only behind a successful exec.
    return /"exit-code": [0-9]+/.test(this.#status);
  }

  close(): void {
    for (const stream of this.#streams.values()) stream.destroy();
  }

  #closing(fd: number): Promise<void> {
    const stream = this.#streams.get(fd);
    return new Promise((resolve) => {
      if (stream === undefined || stream.closed) resolve();
      else stream.once("close", () => resolve());
    });
  }
}

function rootAt(path: string, ready: string): number | undefined {
  let root: number | undefined;
  try {
    root = openSync(path, O_PATH | constants.O_DIRECTORY);
    lstatSync(`/proc/self/fd/${root}${ready}`);
    return root;
  } catch {
    // Not yet, or bubblewrap has ended.
    if (root !== undefined) closeSync(root);
    return undefined;
  }
}
