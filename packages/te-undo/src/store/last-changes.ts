import type { ChangeKind } from "./steps.js";

/** A change that cannot be taken back, and why. */
export interface Unkept {
  readonly kind: ChangeKind;
  /** As its caller spelled them. */
  readonly paths: readonly string[];
  readonly reason: string;
  /** In milliseconds. */
  readonly at: number;
}

const SESSIONS = 1000;

/** What became of the last change of each session of this process: of one that is not kept the journal knows nothing. */
export class LastChanges {
  readonly #last = new Map<string, Unkept | "kept">();

  note(owner: string, session: string, change: Unkept | "kept"): void {
    const key = keyOf(owner, session);
    this.#last.delete(key);
    this.#last.set(key, change);
    if (this.#last.size > SESSIONS) this.#last.delete(this.#last.keys().next().value as string);
  }

  of(owner: string, session: string): Unkept | "kept" | undefined {
    return this.#last.get(keyOf(owner, session));
  }
}

function keyOf(owner: string, session: string): string {
  return JSON.stringify([owner, session]);
}
