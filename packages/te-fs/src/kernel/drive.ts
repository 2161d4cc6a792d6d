import { read } from "node:fs";
import { CancelledError, OpsError } from "@llmc/errors";
import { perform, type Steps, type Syscall } from "./syscalls.js";

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

// A read up to this size from the page cache costs less than a trip through the thread pool.
const SYNC_READ = 64 * 1024;

/** Drives work to its end. Local calls run here (microseconds each), bulk reads in the thread pool, the rest on `network`. */
export async function drive<T>(steps: Steps<T>, network: Network, signal?: AbortSignal): Promise<T> {
  let given: Answer | undefined;
  let step = steps.next();
  while (!step.done) {
    const answer = given === undefined ? answerTo(step.value, network, signal) : settle(step.value, network, given);
    const outcome = answer instanceof Promise ? await answer : answer;
    if (!outcome.ok && outcome.lost) given = outcome;
    step = outcome.ok ? steps.next(outcome.value) : steps.throw(outcome.error);
  }
  return step.value;
}

/** Drives work that must not wait: a call on a network mount fails at once with `NeedsNetworkError`. */
export function driveNow<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) {
    const outcome = step.value.mount === null ? attempt(step.value) : fail(new NeedsNetworkError());
    step = outcome.ok ? steps.next(outcome.value) : steps.throw(outcome.error);
  }
  return step.value;
}

export class NeedsNetworkError extends Error {}

/** The error of a call whose signal was aborted: the reason if it is one of ours (a deadline), else "cancelled". */
export function abortError(signal: AbortSignal): OpsError {
  return OpsError.is(signal.reason) ? signal.reason : new CancelledError("The file operation");
}

function answerTo(call: Syscall, network: Network, signal: AbortSignal | undefined): Answer | Promise<Answer> {
  if (call.name === "close") return call.mount === null ? attempt(call) : network.call(call, undefined);
  if (signal?.aborted) return fail(abortError(signal));
  if (call.mount !== null) return network.call(call, signal);
  return call.name === "read" && (call.into as Uint8Array).length > SYNC_READ ? pooledRead(call) : attempt(call);
}

/** After a lost call only the tidying up is left, and nothing of it may wait for the same mount. */
function settle(call: Syscall, network: Network, given: Answer): Answer {
  if (call.name !== "close") return given;
  if (call.mount === null) return attempt(call);
  network.release(call);
  return { ok: true, value: undefined };
}

function attempt(call: Syscall): Answer {
  try {
    return { ok: true, value: perform(call) };
  } catch (error) {
    return fail(error);
  }
}

function pooledRead({ args: [fd, length, position], into }: Syscall): Promise<Answer> {
  return new Promise((resolve) => {
    read(fd as number, into as Uint8Array, 0, length as number, position as number, (error, value) =>
      resolve(error === null ? { ok: true, value } : fail(error)),
    );
  });
}

function fail(error: unknown): Answer {
  return { ok: false, error, lost: false };
}
