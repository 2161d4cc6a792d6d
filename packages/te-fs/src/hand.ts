import type { Journal } from "./journal/journal.js";
import type { NetworkThreads } from "./kernel/network.js";
import type { Steps } from "./kernel/syscalls.js";
import type { Asked } from "./path/argument.js";
import type { Executed } from "./path/executed.js";
import type { Tree } from "./path/walk.js";
import type { ReadMarks } from "./stale/read-marks.js";
import type { Locks } from "./state/locks.js";
import type { Temps } from "./state/temps.js";
import type { HashCache } from "./write/content-hash.js";

/** What every operation on files works with. */
export interface Hand {
  readonly tree: Tree;
  readonly executed: Executed;
  readonly network: NetworkThreads;
  readonly journal: Journal;
  readonly locks: Locks;
  readonly temps: Temps;
  readonly marks: ReadMarks;
  readonly hashes: HashCache;
  /** A caller's path, made absolute; nothing is looked up. */
  ask(path: string, cwd?: string): Asked;
  readonly staleGuard: "refuse" | "warn" | "off";
  /** Drives steps to their end; what fails is told in terms of `shown`. */
  run<T>(steps: Steps<T>, shown: string, signal?: AbortSignal): Promise<T>;
  /** The same for steps that change something: a disk that does not take it is WRITE_FAILED. */
  change<T>(steps: Steps<T>, shown: string, signal?: AbortSignal): Promise<T>;
}

/** Who asks for a change. */
export interface ChangeOptions {
  /** Who may take it back by its id. */
  readonly owner: string;
  /** Whose "last change" it is, and who is told when somebody else changes what it read. */
  readonly session: string;
  /** What a relative path starts from; without it the first root. */
  readonly cwd?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told what a long change does, now and then. */
  readonly progress?: ((message: string) => void) | undefined;
}
