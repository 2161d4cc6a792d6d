import { close } from "node:fs";
import { abortReason, MountTimeoutError } from "@llmc/errors";
import { type Bytes, displayPath } from "@llmc/names";
import { type Answer, type Network } from "./drive.js";
import { startSyscallThread, type SyscallThread, type Reply } from "./syscall-thread.js";
import type { Syscall } from "./syscalls.js";

export interface MountThreadsOptions {
  /** How long one call may take before its thread is given up. */
  readonly timeoutMs: number;
  /** Threads in all, busy and given up together; so no more than that many can ever hang. */
  readonly threads: number;
}

interface Slot {
  readonly lane: SyscallThread;
  /** The mount of the call it makes, or hangs in. */
  mount: Bytes | null;
  state: "idle" | "busy" | "abandoned";
  reaper: NodeJS.Timeout | undefined;
}

interface Waiting {
  readonly call: Syscall;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (answer: Answer) => void;
}

const IDLE_MS = 30_000;

/**
 * A few threads for calls on mounts that may never answer. A call that outlasts its time, or whose caller has gone, is
 * given up together with its thread. One mount gets at most half of the threads, so that a dead one leaves room for
 * the others; once all it may have are given up, it is answered at once. A thread that comes back is used again.
 */
export class MountThreads implements Network {
  readonly #timeoutMs: number;
  readonly #threads: number;
  readonly #perMount: number;
  readonly #slots = new Set<Slot>();
  readonly #waiting = new Set<Waiting>();
  #closed = false;

  constructor({ timeoutMs, threads }: MountThreadsOptions) {
    this.#timeoutMs = timeoutMs;
    this.#threads = threads;
    this.#perMount = Math.max(1, Math.floor(threads / 2));
  }

  /** Threads that hang in the kernel now. The process cannot end by itself while there are any: only a signal ends it. */
  get abandoned(): number {
    return this.#count((slot) => slot.state === "abandoned");
  }

  call(call: Syscall, signal: AbortSignal | undefined): Promise<Answer> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        call,
        signal,
        resolve: (answer) => {
          signal?.removeEventListener("abort", onAbort);
          resolve(answer);
        },
      };
      const onAbort = (): void => {
        if (this.#waiting.delete(waiting)) waiting.resolve(lost(abortReason(signal as AbortSignal)));
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.add(waiting);
      this.#pump();
    });
  }

  release(call: Syscall): void {
    const hanging = [...this.#slots].filter((slot) => slot.state === "abandoned");
    const slot = hanging.find(({ mount }) => mount === call.mount) ?? hanging[0];
    if (slot !== undefined) slot.lane.send(call, () => {});
    else if (this.#closed) close(call.args[0] as number, () => {});
    else void this.call(call, undefined);
  }

  /** Ends the idle threads now and the others when the kernel lets go of them. */
  end(): void {
    this.#closed = true;
    this.#pump();
    for (const slot of this.#slots) if (slot.state === "idle") this.#end(slot);
  }

  #pump(): void {
    for (const waiting of this.#waiting) {
      const mount = waiting.call.mount as Bytes;
      const { signal } = waiting;
      const slot = signal?.aborted ? undefined : this.#slotFor(mount);
      if (slot === undefined && !signal?.aborted && !this.#isDead(mount)) continue;
      this.#waiting.delete(waiting);
      if (slot !== undefined) this.#run(slot, waiting);
      else if (waiting.call.name === "close") this.#closeLater(waiting);
      else waiting.resolve(lost(signal?.aborted ? abortReason(signal) : new MountTimeoutError(displayPath(mount))));
    }
  }

  #closeLater({ call, resolve }: Waiting): void {
    this.release(call);
    resolve({ ok: true, value: undefined });
  }

  /** Every thread that this mount may have hangs already. */
  #isDead(mount: Bytes): boolean {
    const here = this.#count((slot) => slot.state === "abandoned" && slot.mount === mount);
    return this.#closed || here >= this.#perMount || this.abandoned >= this.#threads;
  }

  #slotFor(mount: Bytes): Slot | undefined {
    if (this.#closed || this.#count((slot) => slot.mount === mount) >= this.#perMount) return undefined;
    for (const slot of this.#slots) if (slot.state === "idle") return slot;
    return this.#slots.size < this.#threads ? this.#start() : undefined;
  }

  #start(): Slot {
    const lane = startSyscallThread(
      () => this.#idle(slot),
      () => {
        clearTimeout(slot.reaper);
        this.#slots.delete(slot);
        this.#pump();
      },
    );
    const slot: Slot = { lane, mount: null, state: "idle", reaper: undefined };
    this.#slots.add(slot);
    return slot;
  }

  #run(slot: Slot, { call, signal, resolve }: Waiting): void {
    clearTimeout(slot.reaper);
    slot.mount = call.mount;
    slot.state = "busy";
    slot.lane.hold(true);
    let done = false;
    let timer: NodeJS.Timeout | undefined;
    const finish = (answer: Answer): void => {
      done = true;
      slot.lane.hold(false);
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(answer);
    };
    const giveUp = (error: Error): void => {
      slot.state = "abandoned";
      finish(lost(error));
      this.#pump();
    };
    const onAbort = (): void => giveUp(abortReason(signal as AbortSignal));
    signal?.addEventListener("abort", onAbort, { once: true });
    slot.lane.whenReady(() => {
      const late = (): void => giveUp(new MountTimeoutError(displayPath(call.mount as Bytes)));
      if (!done) timer = setTimeout(late, this.#timeoutMs);
    });
    slot.lane.send(call, (reply) => (done ? closeLate(slot.lane, call, reply) : finish(answerOf(call, reply))));
  }

  #idle(slot: Slot): void {
    if (slot.lane.owed > 0 || !this.#slots.has(slot)) return;
    slot.mount = null;
    slot.state = "idle";
    if (this.#closed) return this.#end(slot);
    slot.reaper = setTimeout(() => this.#end(slot), IDLE_MS).unref();
    this.#pump();
  }

  #end(slot: Slot): void {
    clearTimeout(slot.reaper);
    this.#slots.delete(slot);
    slot.lane.end();
  }

  #count(fits: (slot: Slot) => boolean): number {
    let count = 0;
    for (const slot of this.#slots) if (fits(slot)) count += 1;
    return count;
  }
}

function answerOf({ into }: Syscall, reply: Reply): Answer {
  if ("error" in reply) return { ok: false, error: reply.error, lost: false };
  if (into === undefined) return { ok: true, value: reply.value };
  const bytes = reply.value as Uint8Array;
  into.set(bytes);
  return { ok: true, value: bytes.length };
}

/** Nobody waits any more for what an open brings. */
function closeLate(lane: SyscallThread, call: Syscall, reply: Reply): void {
  if (call.name !== "open" || "error" in reply) return;
  lane.send({ mount: call.mount, name: "close", args: [reply.value as number] }, () => {});
}

function lost(error: Error): Answer {
  return { ok: false, error, lost: true };
}
