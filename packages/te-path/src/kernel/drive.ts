import { fsync, read, write } from "node:fs";
import { abortReason } from "@llmc/errors";
import { closeLeft } from "./close-soon.js";
import { QuickDisks } from "./quick-disks.js";
import { hasCode, perform, type Work, type Syscall } from "./syscalls.js";

/** What came of one call. `lost`: the kernel has not answered; the thread that asked it was given up. */
export type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown; readonly lost: boolean };

/** Runs calls on mounts that may never answer. */
export interface Network {
  call(call: Syscall, signal: AbortSignal | undefined): Promise<Answer>;
  /** Closes when it can; nobody waits for it. */
  release(call: Syscall): void;
}

/** Up to this size the page cache costs less than a trip through the thread pool, and a quick disk not much more. */
export const SYNC_BYTES = 64 * 1024;
/** How long calls may follow each other before the event loop gets its turn. */
const TURN_MS = 5;
const CALLS_BETWEEN_LOOKS = 32;
/** Each takes as long as hundreds of the others. */
const LONG: ReadonlySet<Syscall["name"]> = new Set(["list", "listAtOnce", "lookAll", "peekAll", "readdir", "fsync"]);
const disks = new QuickDisks();

/**
 * Drives work to its end. Local calls run here (microseconds each), bulk data and fsync in the thread pool (fsync here
 * where the disk is known to be quick), what lies on a network mount on `network`. Long work gives the event loop its
 * turn between two calls.
 */
export async function drive<T>(work: Work<T>, network: Network, signal?: AbortSignal): Promise<T> {
  let given: Answer | undefined;
  let calls = 0;
  let turn = Number.POSITIVE_INFINITY;
  let step = work.next();
  while (!step.done) {
    calls += LONG.has(step.value.name) ? CALLS_BETWEEN_LOOKS : 1;
    if (calls >= CALLS_BETWEEN_LOOKS) {
      calls = 0;
      const now = performance.now();
      if (now > turn) await new Promise((resolve) => setImmediate(resolve));
      if (now > turn || turn === Number.POSITIVE_INFINITY) turn = performance.now() + TURN_MS;
    }
    const answer = given === undefined ? answerTo(step.value, network, signal) : settle(step.value, network, given);
    step.value.meanwhile?.();
    let outcome: Answer;
    if (answer instanceof Promise) {
      outcome = await answer;
      turn = Number.POSITIVE_INFINITY;
    } else outcome = answer;
    if (!outcome.ok && outcome.lost) given = outcome;
    step = outcome.ok ? work.next(outcome.value) : work.throw(outcome.error);
  }
  return step.value;
}

/** Drives work that must not wait: a call on a network mount fails at once with `NeedsNetworkError`. */
export function driveNow<T>(work: Work<T>): T {
  let step = work.next();
  while (!step.done) {
    const outcome = step.value.mount === null ? attempt(step.value) : fail(new NeedsNetworkError());
    step.value.meanwhile?.();
    step = outcome.ok ? work.next(outcome.value) : work.throw(outcome.error);
  }
  return step.value;
}

export class NeedsNetworkError extends Error {}

function answerTo(call: Syscall, network: Network, signal: AbortSignal | undefined): Answer | Promise<Answer> {
  if (isEnd(call)) return call.mount === null ? attempt(call) : network.call(call, undefined);
  if (signal?.aborted && call.steady !== true) return fail(abortReason(signal));
  if (call.until !== undefined) return waited(call.until);
  if (call.mount !== null) return network.call(call, call.steady === true ? undefined : signal);
  if (call.name === "fsync") return synced(call);
  return isBulk(call) ? pooled(call) : attempt(call);
}

async function waited(until: () => Promise<unknown>): Promise<Answer> {
  try {
    return { ok: true, value: await until() };
  } catch (error) {
    return fail(error);
  }
}

function synced(call: Syscall): Answer | Promise<Answer> {
  if (call.disk === undefined) return pooled(call);
  if (!disks.isQuick(call.disk)) return pooledOn(call.disk, call);
  const start = performance.now();
  const answer = attempt(call);
  disks.took(call.disk, performance.now() - start);
  return answer;
}

async function pooledOn(disk: bigint, call: Syscall): Promise<Answer> {
  const start = performance.now();
  const answer = await pooled(call);
  disks.took(disk, performance.now() - start);
  return answer;
}

/** What lets go of something is made whatever happened. */
function isEnd({ name }: Syscall): boolean {
  return name === "close" || name === "closeListing";
}

function isBulk({ into, from }: Syscall): boolean {
  return (into?.length ?? 0) > SYNC_BYTES || (from?.length ?? 0) > SYNC_BYTES;
}

/** After a lost call only the tidying up is left, and nothing of it may wait for the same mount. */
function settle(call: Syscall, network: Network, given: Answer): Answer {
  if (!isEnd(call)) return given;
  if (call.mount === null) return attempt(call);
  network.release(call);
  return { ok: true, value: undefined };
}

function attempt(call: Syscall): Answer {
  try {
    return { ok: true, value: perform(call) };
  } catch (error) {
    // Files that were just replaced hold their blocks until they are closed. A second fsync would hide what the first said.
    const mayFit = hasCode(error, "ENOSPC", "EDQUOT") && call.name !== "fsync" && closeLeft();
    return mayFit ? attempt(call) : fail(error);
  }
}

function pooled({ name, args: [fd, second, third], into, from }: Syscall): Promise<Answer> {
  // The same for a long write, whose answer comes when they have been closed anyway.
  if (from !== undefined) closeLeft();
  return new Promise((resolve) => {
    const done = (error: Error | null, value?: unknown): void =>
      resolve(error === null ? { ok: true, value } : fail(error));
    if (name === "fsync") fsync(fd as number, done);
    else if (from === undefined)
      read(fd as number, into as Uint8Array, 0, second as number, third as number, (error, count) =>
        done(error, count),
      );
    else
      write(fd as number, from, 0, from.length, second === -1 ? null : (second as number), (error, count) =>
        done(error, count),
      );
  });
}

function fail(error: unknown): Answer {
  return { ok: false, error, lost: false };
}
