import type { RequestedPath } from "@llmc/names";
import type { MountThreads } from "../kernel/mount-threads.js";
import type { Work } from "../kernel/syscalls.js";
import type { ExecConfigGuard } from "./exec-config-guard.js";
import type { ForbiddenPaths } from "./forbidden-paths.js";
import type { Mounts } from "../kernel/mounts.js";
import type { Root } from "./root.js";

/** What a walk may see. */
export interface Scope {
  readonly roots: readonly Root[];
  readonly mounts: Mounts;
  readonly forbidden: ForbiddenPaths;
}

/** A root that could not be opened. */
export interface SkippedRoot {
  readonly path: string;
  readonly why: string;
}

/** The scope with its driver, for every operation below the roots. */
export interface OpenScope extends Scope {
  readonly execConfig: ExecConfigGuard;
  readonly network: MountThreads;
  /** The whole machine, to look up the server's own paths; a client's path is never walked in this scope. */
  readonly machine: Scope;
  /** The roots as the operator wrote them, and without links. */
  readonly rootPaths: readonly { readonly path: string; readonly real: string }[];
  readonly skipped: readonly SkippedRoot[];
  /** Makes a caller's path absolute; looks nothing up. */
  requested(path: string, cwd?: string): RequestedPath;
  /** Drives work to its end; an error names `shown`. */
  run<T>(work: Work<T>, shown: string, signal?: AbortSignal): Promise<T>;
  /** Drives work that changes something; a full disk becomes WRITE_FAILED. */
  change<T>(work: Work<T>, shown: string, signal?: AbortSignal): Promise<T>;
  /** Closes the roots and ends the threads; later calls are refused. */
  close(): void;
}

/** The part of the scope that decides on changes. */
export type Guards = Scope & Pick<OpenScope, "execConfig">;
