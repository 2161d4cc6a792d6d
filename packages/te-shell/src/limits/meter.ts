import type { LimitHit } from "../launch/launch.js";

export interface Limits {
  readonly maxPids: number;
  readonly maxMemoryBytes: number;
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
