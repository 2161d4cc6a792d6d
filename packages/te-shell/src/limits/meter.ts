/** A bound that the command ran into. */
export type LimitHit = "memory" | "processes" | "file size";

export interface Limits {
  readonly maxPids: number;
  readonly maxMemoryBytes: number;
}

/** What a command may use is a share of what is free, which changes: by that much it does not matter. */
const DRIFT = 0.1;

/** Whether what was made for some limits is good for these. */
export function doServe(made: Limits, asked: Limits): boolean {
  return made.maxPids === asked.maxPids && Math.abs(made.maxMemoryBytes / asked.maxMemoryBytes - 1) <= DRIFT;
}

/** What counts a command's processes and memory, and holds them to the limits. One for each launch. */
export interface Meter {
  /** Files of the kernel to which the command writes itself before it runs. */
  readonly joins: readonly string[];
  /** Tells which processes are the command's, and how to end it. */
  watch(command: Metered): void;
  hit(): LimitHit | undefined;
  close(): Promise<void>;
}

export interface Metered {
  /** The processes that belong to it now; of very many only so many. */
  readonly members: (most: number) => readonly number[];
  readonly end: () => void;
}
