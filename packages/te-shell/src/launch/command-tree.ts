import type { LimitHit } from "../limits/meter.js";

/** The processes of a started command, found in one way without a sandbox and in another in a PID namespace. */
export interface CommandTree {
  /** Pid of the program itself on this machine; undefined when the program ended before it was seen. */
  programPid(): Promise<number | undefined>;
  /** Signals the program's group; false when the program has ended. */
  signal(signal: NodeJS.Signals): Promise<boolean>;
  /** Asks every process to end, then kills it. Returns the pids that SIGKILL did not end. */
  end(graceMs?: number): Promise<readonly number[]>;
  limitHit(): LimitHit | undefined;
}
