import type { Procfs } from "@llmc/procfs";
import { localSpace, type StatFs } from "./disks/space.js";
import { Look } from "./look.js";
import { takeSnapshot, type Snapshot } from "./snapshot.js";
import type { Thresholds } from "./wrong/anomaly.js";

export interface SystemOptions {
  readonly procfs: Procfs;
  readonly thresholds: Thresholds;
  /** How full a local file system is; a recorded machine brings its own. */
  readonly statfs?: StatFs;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
}

/** One for each server: the samples that figures over time need are kept in it. */
export interface System {
  snapshot(options?: { readonly signal?: AbortSignal | undefined }): Promise<Snapshot>;
}

export function openSystem({ procfs, thresholds, statfs = localSpace, ...options }: SystemOptions): System {
  const now = options.now ?? (() => performance.now());
  const look = new Look({ procfs, statfs, now });
  return {
    snapshot: ({ signal } = {}) => takeSnapshot(look, thresholds, signal),
  };
}
