import { KernelFiles, type Procfs } from "@llmc/procfs";
import { rootByDf } from "./disks/df-space.js";
import { localSpace, type StatFs } from "./disks/space.js";
import { infoOf, type Info } from "./info/info.js";
import { ownAddresses, type ReadAddresses } from "./info/interfaces.js";
import { kernelTree } from "./ask/kernel-tree.js";
import { virtualizationOf } from "./info/virtualization.js";
import { logsOf, type Logs } from "./logs/logs.js";
import { Look } from "./look/look.js";
import { withoutSystemd } from "./services/instead.js";
import { servicesOf, type Services } from "./services/services.js";
import { takeSnapshot, type Snapshot } from "./snapshot/snapshot.js";
import type { Thresholds } from "./wrong/anomaly.js";

export interface SystemOptions {
  readonly procfs: Procfs;
  readonly thresholds: Thresholds;
  /** How full a local file system is; a recorded machine brings its own. */
  readonly statfs?: StatFs;
  /** Folders that look like /proc, /sys and / as far as they are read here. */
  readonly procRoot?: string;
  readonly sysRoot?: string;
  readonly root?: string;
  readonly addresses?: ReadAddresses;
  /** Where systemctl and journalctl are looked for, when not in the usual folders. */
  readonly path?: string;
  /** How long such a program may take. */
  readonly programTimeoutMs?: number;
  /** Whether the system's log may be named as the next step; true by default. */
  readonly hasLogs?: boolean;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** One for each server: the samples that figures over time need are kept in it. */
export interface System {
  snapshot(options?: { readonly signal?: AbortSignal | undefined }): Promise<Snapshot>;
  readonly info: Info;
  readonly services: Services;
  readonly logs: Logs;
}

const PROGRAM_TIMEOUT_MS = 8000;

export function openSystem({ procfs, thresholds, statfs = localSpace, ...options }: SystemOptions): System {
  const now = options.now ?? (() => performance.now());
  const { procRoot = "/proc", sysRoot = "/sys", root = "", addresses = ownAddresses } = options;
  const files = new KernelFiles();
  const trees = {
    proc: kernelTree(procRoot, files),
    sys: kernelTree(sysRoot, files),
    files: kernelTree(root, files),
  };
  const place = { path: options.path };
  const timeoutMs = options.programTimeoutMs ?? PROGRAM_TIMEOUT_MS;
  const services = servicesOf({
    place,
    timeoutMs,
    uptimeSeconds: () => procfs.machine.uptimeSeconds(),
    unavailable: () => withoutSystemd(procfs, trees.files, virtualizationOf(trees, false).container),
  });
  const units = { ask: services.failed, isThere: () => trees.files.names("run/systemd").includes("system") };
  // A recorded machine is not asked for the disks of this one.
  const rootAlone = statfs === localSpace ? rootByDf : undefined;
  const look = new Look({ hasLogs: options.hasLogs ?? true, procfs, procRoot, statfs, rootAlone, units, now });
  return {
    snapshot: ({ signal } = {}) => takeSnapshot(look, thresholds, signal),
    logs: logsOf({
      place,
      timeoutMs,
      bootId: () => trees.proc.text("sys/kernel/random/boot_id")?.replaceAll("-", "") ?? null,
      hasJournal: () => ["var", "run"].some((each) => trees.files.names(`${each}/log/journal`).length > 0),
      root,
      bootedAtMs: () => procfs.machine.stat()?.bootedAtMs ?? null,
    }),
    info: infoOf({ procfs, look, trees, addresses }),
    services,
  };
}
