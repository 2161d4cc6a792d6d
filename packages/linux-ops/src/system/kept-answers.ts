import type { InfoResult, InfoType } from "./info-result.js";

/** The last answer of each kind, and for how long it will do. */
export class KeptAnswers {
  readonly #maxAgeMs: number;
  readonly #kept = new Map<InfoType, { readonly at: number; readonly answer: InfoResult }>();

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  async of(type: InfoType, measure: () => Promise<InfoResult>): Promise<InfoResult> {
    const kept = this.#kept.get(type);
    if (kept !== undefined && performance.now() - kept.at < this.#maxAgeMs) return kept.answer;
    const answer = await measure();
    this.#kept.set(type, { at: performance.now(), answer });
    return answer;
  }
}
