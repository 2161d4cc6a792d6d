/** The operator's limits, in seconds. */
export interface TimeLimits {
  /** Time of a command whose caller names none. */
  readonly usual: number;
  /** Time after which a longer command becomes a managed process; undefined where no client could come back for it. */
  readonly handOver: number | undefined;
}

/** Times of one command, in seconds. */
export interface CommandTimes {
  /** The command is ended then, unless it was handed over. */
  readonly end: number;
  /** The command becomes a managed process then; undefined: never. */
  readonly handOver: number | undefined;
  /** The caller named `end`, so it holds for the managed process too. */
  readonly isNamed: boolean;
}

/** A command without a named time is handed over rather than ended. */
export function commandTimes(named: number | undefined, { usual, handOver }: TimeLimits): CommandTimes {
  if (named === undefined) return { end: usual, handOver: handOver === undefined ? undefined : usual, isNamed: false };
  return { end: named, handOver: handOver !== undefined && named > handOver ? handOver : undefined, isNamed: true };
}
