/** Keeps the last answer of each kind for a while, because measuring takes time. */
export class KeptAnswers {
  readonly #maxAgeMs: number;
  readonly #kept = new Map<string, { readonly at: number; readonly answer: unknown }>();

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  /** Every answer of the same kind must have the same type. */
  async of<Answer>(kind: string, measure: () => Promise<Answer>): Promise<Answer> {
    const kept = this.#kept.get(kind);
    if (kept !== undefined && performance.now() - kept.at < this.#maxAgeMs) return kept.answer as Answer;
    const answer = await measure();
    this.#kept.set(kind, { at: performance.now(), answer });
    return answer;
  }
}
