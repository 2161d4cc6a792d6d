import type { KernelFiles } from "../read/kernel-files.js";
import { waitingCall, type WaitingCall } from "./syscall.js";

/** Tells whether a program waits for its input, as far as the kernel shows. */
export interface InputWait {
  /**
   * "yes": a process waits only for the input. "perhaps": also for more, in a second thread, or for unreadable
   * descriptors.
   */
  readonly waits: "yes" | "perhaps" | "no";
  /** Name of the waiting process, and name of its file. */
  readonly names: readonly string[];
}

export interface InputSources {
  readonly root: string;
  readonly files: KernelFiles;
  readonly childrenOf: (pid: number) => readonly number[];
}

const MOST_PROCESSES = 64;
/** Descriptors beyond which a process surely waits for more than its input. */
const MOST_POLLED = 64;
const POLLFD_BYTES = 8;
const POLLIN = 1;
/** Matches descriptors by which a process wakes itself. */
const OWN = /^anon_inode:\[(?:eventfd|signalfd)\]$/;
const TERMINAL = /^\/dev\/(?:pts\/\d+|tty\w*|console)$/;

/**
 * Finds the process that waits for the input of a program: the program itself, or a descendant with the same input or a
 * terminal of its own. Returns undefined if the kernel does not tell.
 */
export function inputWait(program: number, sources: InputSources): InputWait | undefined {
  const input = sources.files.link(`${sources.root}/${program}/fd/0`);
  const pids = [program];
  let found: InputWait = { waits: "no", names: [] };
  for (let at = 0; at < Math.min(pids.length, MOST_PROCESSES); at += 1) {
    const looked = new Looked(pids[at] as number, input, sources);
    const waits = looked.waits();
    if (waits === undefined && at === 0) return undefined;
    if (waits === "yes" || waits === "perhaps") found = { waits, names: looked.names() };
    if (waits === "yes") return found;
    pids.push(...sources.childrenOf(looked.pid));
  }
  return found;
}

/** Examines one process, and the descriptors that it waits for. */
class Looked {
  readonly pid: number;
  readonly #input: string | undefined;
  readonly #files: KernelFiles;
  readonly #folder: string;

  constructor(pid: number, input: string | undefined, { root, files }: InputSources) {
    this.pid = pid;
    this.#input = input;
    this.#files = files;
    this.#folder = `${root}/${pid}`;
  }

  waits(): InputWait["waits"] | undefined {
    const text = this.#files.text(`${this.#folder}/syscall`);
    const call = text === undefined ? undefined : waitingCall(text);
    if (call === undefined) return undefined;
    if (!this.#isInput(0)) return "no";
    const own = call === null ? "no" : this.#waitsIn(call);
    return own === "no" && this.#hasReader() ? "perhaps" : own;
  }

  names(): string[] {
    const file = this.#files.link(`${this.#folder}/exe`) ?? "";
    return [this.#files.text(`${this.#folder}/comm`)?.trim() ?? "", file.slice(file.lastIndexOf("/") + 1)];
  }

  /** Tells whether a second thread reads the input, because that thread may read ahead while the main thread works. */
  #hasReader(): boolean {
    const threads = (this.#files.names(`${this.#folder}/task`) ?? []).filter((each) => each !== `${this.pid}`);
    return threads.some((thread) => {
      const call = waitingCall(this.#files.text(`${this.#folder}/task/${thread}/syscall`) ?? "");
      return call?.kind === "read" && this.#isInput(call.fd);
    });
  }

  #waitsIn(call: WaitingCall): InputWait["waits"] {
    const fds = this.#fdsOf(call);
    if (fds === undefined) return "perhaps";
    const inputs = fds.filter((fd) => this.#isInput(fd));
    if (inputs.length === 0) return "no";
    const others = fds.filter((fd) => !inputs.includes(fd) && !OWN.test(this.#link(fd) ?? ""));
    // An event loop has work of its own, so its wait is never a sure one.
    return others.length === 0 && call.kind !== "epoll" ? "yes" : "perhaps";
  }

  /** Returns the descriptors of a call; undefined if they cannot be read. */
  #fdsOf(call: WaitingCall): number[] | undefined {
    switch (call.kind) {
      case "read":
        return [call.fd];
      case "epoll":
        return this.#watchedBy(call.fd);
      case "poll":
        return call.count > MOST_POLLED ? undefined : this.#polled(call.address, call.count);
      case "select":
        return call.count > 8 * MOST_POLLED ? undefined : this.#selected(call.address, call.count);
    }
  }

  #watchedBy(epoll: number): number[] | undefined {
    const text = this.#files.text(`${this.#folder}/fdinfo/${epoll}`);
    return text === undefined ? undefined : [...text.matchAll(/^tfd:\s*(\d+)/gm)].map(([, fd]) => Number(fd));
  }

  #polled(address: number, count: number): number[] | undefined {
    const bytes = this.#memory(address, POLLFD_BYTES * count);
    return (
      bytes &&
      Array.from({ length: count }, (_, at) => POLLFD_BYTES * at)
        .filter((at) => (bytes.readInt16LE(at + 4) & POLLIN) !== 0)
        .map((at) => bytes.readInt32LE(at))
    );
  }

  #selected(address: number, count: number): number[] | undefined {
    if (address === 0) return [];
    const bytes = this.#memory(address, Math.ceil(count / 8));
    return (
      bytes &&
      Array.from({ length: count }, (_, fd) => fd).filter((fd) => ((bytes[fd >> 3] ?? 0) & (1 << (fd & 7))) !== 0)
    );
  }

  #memory(address: number, length: number): Buffer | undefined {
    return this.#files.piece(`${this.#folder}/mem`, address, length);
  }

  #isInput(fd: number): boolean {
    const link = this.#link(fd);
    return link !== undefined && (link === this.#input || TERMINAL.test(link));
  }

  #link(fd: number): string | undefined {
    return this.#files.link(`${this.#folder}/fd/${fd}`);
  }
}
