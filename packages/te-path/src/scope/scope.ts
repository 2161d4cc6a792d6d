import type { Asked } from "@llmc/names";
import type { NetworkThreads } from "../kernel/network.js";
import type { Steps } from "../kernel/syscalls.js";
import type { Executed } from "./executed.js";
import type { Closed } from "./closed.js";
import type { Mounts } from "../kernel/mounts.js";
import type { Root } from "./root.js";

/** What a walk may see. */
export interface Tree {
  readonly roots: readonly Root[];
  readonly mounts: Mounts;
  readonly closed: Closed;
}

/** The scope with its driver: every operation below the roots works with this. */
export interface OpenScope extends Tree {
  readonly executed: Executed;
  readonly network: NetworkThreads;
  /** The roots as the operator wrote them, and without links. */
  readonly rootPaths: readonly { readonly path: string; readonly real: string }[];
  /** Roots that were skipped, and why. */
  readonly warnings: readonly string[];
  /** Makes a caller's path absolute; looks nothing up. */
  ask(path: string, cwd?: string): Asked;
  /** Drives work to its end; an error names `shown`. */
  run<T>(steps: Steps<T>, shown: string, signal?: AbortSignal): Promise<T>;
  /** The same for work that changes something: a full disk is WRITE_FAILED. */
  change<T>(steps: Steps<T>, shown: string, signal?: AbortSignal): Promise<T>;
  /** Closes the roots and ends the threads; later calls are refused. */
  close(): void;
}

/** The part of the scope that decides on changes. */
export type Guards = Tree & Pick<OpenScope, "executed">;
