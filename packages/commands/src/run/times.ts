/** The operator's limits, in seconds. */
export interface TimeLimits {
  /** Time-out of a command whose caller names no time-out. */
  readonly usual: number;
  /** Time after which a longer command becomes a managed process; undefined if no client could come back for it. */
  readonly handOver: number | undefined;
}

/** Times of a command, in seconds. */
export interface CommandTimes {
  /** Time after which the command is ended, unless it was handed over. */
  readonly end: number;
  /** Time after which the command becomes a managed process; undefined means never. */
  readonly handOver: number | undefined;
  /** Whether the caller named `end`, which then holds for the managed process too. */
  readonly isNamed: boolean;
}

/** Prefers a hand-over to the end for a command without a time-out of the caller. */
export function commandTimes(named: number | undefined, { usual, handOver }: TimeLimits): CommandTimes {
  if (named === undefined) return { end: usual, handOver: handOver === undefined ? undefined : usual, isNamed: false };
  return { end: named, handOver: handOver !== undefined && named > handOver ? handOver : undefined, isNamed: true };
}
