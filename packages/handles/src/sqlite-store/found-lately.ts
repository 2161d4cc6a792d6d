import type { Handle } from "../handle/handle.js";

/** Files whose handle is known at a time: those of the folder that a client looks through. */
const KEPT = 64;
/** As long as this the answer that was given a moment ago is given again. */
const FRESH_MS = 1000;

/** What a row says, in both of its forms. */
export interface FoundHandle {
  readonly handle: Handle;
  readonly expiresAt: number;
}

/**
 * Handles that were just found by their source: a file is read page by page, and the database asked for the same row at
 * each. Whoever changes rows here clears it; what another process removes meanwhile it might as well remove a moment
 * after the answer.
 */
export class FoundLately {
  readonly #found = new Map<string, FoundHandle & { readonly at: number }>();

  get(owner: string, source: string): FoundHandle | undefined {
    const found = this.#found.get(keyOf(owner, source));
    return found !== undefined && performance.now() - found.at < FRESH_MS ? found : undefined;
  }

  set(owner: string, source: string, { handle, expiresAt }: FoundHandle): void {
    const key = keyOf(owner, source);
    this.#found.delete(key);
    this.#found.set(key, { handle, expiresAt, at: performance.now() });
    if (this.#found.size > KEPT) this.#found.delete(this.#found.keys().next().value as string);
  }

  clear(): void {
    this.#found.clear();
  }
}

function keyOf(owner: string, source: string): string {
  return `${source} ${owner}`;
}
