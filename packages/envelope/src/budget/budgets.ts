import { estimateTokens, sessionKey, type CallContext } from "@llmc/toolkit";

/** The budget of one call. */
export interface Budget {
  /** Share of an answer's room that the call has; 0 for a summary. */
  readonly share: number;
  /** Note for the first line of the answer. */
  readonly note: string | null;
  /** Counts the text of the answer, and returns the tokens left; null without a budget. */
  spend(text: string): number | null;
}

/** The profiles that the operator set up. */
export type Profiles = Readonly<Record<string, { readonly tokens: number }>>;

/** Less detail from these shares of a budget on, in the order in which a session meets them. */
const STEPS = [
  { from: 1, share: 0, told: "a summary and the handle" },
  { from: 0.9, share: 1 / 4, told: "a quarter of an answer" },
  { from: 0.8, share: 1 / 2, told: "half of an answer" },
];
const SESSIONS = 10_000;

/** Counts the tokens that sessions spent, for each profile by itself. */
export class Budgets {
  readonly #profiles: Profiles;
  /** Tokens by session and profile; the session that was idle for the longest time comes first. */
  readonly #spent = new Map<string, Map<string, number>>();

  constructor(profiles: Profiles) {
    this.#profiles = profiles;
  }

  of(call: Pick<CallContext, "entry" | "session">): Budget {
    const { budgetProfile: name } = call.session;
    if (name === undefined) return UNLIMITED;
    const profile = Object.hasOwn(this.#profiles, name) ? this.#profiles[name] : undefined;
    if (profile === undefined) return { ...UNLIMITED, note: `no budget is named ${JSON.stringify(name)}` };
    const counts = this.#countsOf(sessionKey(call));
    const used = (counts.get(name) ?? 0) / profile.tokens;
    const step = STEPS.find(({ from }) => used >= from);
    return {
      share: step?.share ?? 1,
      note: step === undefined ? null : `budget ${name} ${Math.floor(100 * Math.min(1, used))} % used: ${step.told}`,
      spend(text) {
        const spent = (counts.get(name) ?? 0) + estimateTokens(text);
        counts.set(name, spent);
        return Math.max(0, profile.tokens - spent);
      },
    };
  }

  endSession(owner: string): void {
    this.#spent.delete(owner);
  }

  #countsOf(session: string): Map<string, number> {
    const counts = this.#spent.get(session) ?? new Map<string, number>();
    this.#spent.delete(session);
    this.#spent.set(session, counts);
    const [idle] = this.#spent.keys();
    if (this.#spent.size > SESSIONS && idle !== undefined) this.#spent.delete(idle);
    return counts;
  }
}

const UNLIMITED: Budget = { share: 1, note: null, spend: () => null };
