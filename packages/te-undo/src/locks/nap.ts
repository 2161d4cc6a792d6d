import { abortReason } from "@llmc/errors";

/** Waits so long, or until the signal. Only who waits in a call (`held`) keeps the process alive. */
export function nap(ms: number, { signal, held }: { signal?: AbortSignal | undefined; held: boolean }): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(abortReason(signal as AbortSignal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    if (!held) timer.unref();
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}
