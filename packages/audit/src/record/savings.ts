import type { TeRow } from "./te-row.js";

/** Tokens that the envelope saved for one client, of one family of commands. */
export interface Savings {
  readonly family: string;
  readonly client: string | null;
  readonly count: number;
  readonly rawTokens: number;
  readonly shownTokens: number;
  /** Tokens that the client would have shown without the envelope, less the shown ones; a missed call saves nothing. */
  readonly savedTokens: number;
  readonly missed: number;
}

type SavingsRow = Pick<TeRow, "family" | "client" | "rawTokens" | "shownTokens" | "clientCapTokens" | "missed">;

export interface SavingsTally {
  add(row: SavingsRow): void;
  /** The largest savings first. */
  savings(): Savings[];
}

export function createSavingsTally(): SavingsTally {
  const groups = new Map<string, Savings>();

  function add(row: SavingsRow): void {
    const { family, client } = row;
    const key = JSON.stringify([family, client]);
    const { count = 0, rawTokens = 0, shownTokens = 0, savedTokens = 0, missed = 0 } = groups.get(key) ?? {};
    groups.set(key, {
      family,
      client,
      count: count + 1,
      rawTokens: rawTokens + row.rawTokens,
      shownTokens: shownTokens + row.shownTokens,
      savedTokens: savedTokens + savedBy(row),
      missed: missed + (row.missed === null ? 0 : 1),
    });
  }

  return { add, savings: () => [...groups.values()].toSorted((a, b) => b.savedTokens - a.savedTokens) };
}

function savedBy({ rawTokens, shownTokens, clientCapTokens, missed }: SavingsRow): number {
  return missed === null ? Math.min(rawTokens, clientCapTokens ?? rawTokens) - shownTokens : 0;
}
