/** How long work may keep the event loop to itself, and what ends it. */
export interface Slices {
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
}

/** Does the work for each, and lets others have their turn in between. */
export async function sliced<T>(items: readonly T[], { ms, signal }: Slices, work: (item: T) => void): Promise<void> {
  let end = performance.now() + ms;
  for (const item of items) {
    work(item);
    if (performance.now() < end) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    end = performance.now() + ms;
  }
}
