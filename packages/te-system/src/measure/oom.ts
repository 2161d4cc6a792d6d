/** Processes that the kernel ended because memory ran out. */
export interface OomKills {
  readonly count: number;
  /** They happened at most so long ago. */
  readonly withinSeconds: number;
  /** Nobody looked before: all that is known is that the machine has run that long. */
  readonly isSinceStart: boolean;
}

interface Found {
  readonly count: number;
  /** The look before the counter grew: the counter itself has no time. */
  readonly since: number;
  readonly at: number;
  readonly isSinceStart: boolean;
}

const TOLD_MS = 30 * 60 * 1000;
/** What happened before the first look has no time but the start of the machine. */
const TOLD_SINCE_START_SECONDS = 6 * 60 * 60;

export class OomWatch {
  readonly #now: () => number;
  #last: { readonly at: number; readonly kills: number } | undefined;
  #found: Found | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `kills` is the kernel's counter. */
  look(kills: number | null, uptimeSeconds: number | null): OomKills | null {
    if (kills === null) return null;
    const at = this.#now();
    if (this.#found !== undefined && at - this.#found.at > TOLD_MS) this.#found = undefined;
    const before = this.#last ?? startOf(at, uptimeSeconds);
    if (before !== undefined && kills > before.kills)
      this.#found = {
        count: kills - before.kills + (this.#found?.count ?? 0),
        since: this.#found?.since ?? before.at,
        at,
        isSinceStart: this.#found?.isSinceStart ?? this.#last === undefined,
      };
    this.#last = { at, kills };
    if (this.#found === undefined) return null;
    const { count, since, isSinceStart } = this.#found;
    return { count, withinSeconds: (at - since) / 1000, isSinceStart };
  }
}

function startOf(at: number, uptimeSeconds: number | null): { at: number; kills: number } | undefined {
  if (uptimeSeconds === null || uptimeSeconds > TOLD_SINCE_START_SECONDS) return undefined;
  return { at: at - uptimeSeconds * 1000, kills: 0 };
}
