import type { Machine, Mount } from "@llmc/procfs";
import { chooseMounts, type MountKind } from "./choose-mounts.js";
import type { RemoteSpaces } from "./remote-space.js";
import type { Space, StatFs } from "./space.js";

export interface Disk {
  readonly mount: Mount;
  readonly kind: Exclude<MountKind, "image" | "kernel">;
  readonly space: Space;
  /** How old the figures are, where they were kept. */
  readonly ageMs: number;
}

export interface Disks {
  readonly disks: readonly Disk[];
  /** Those that do not answer. */
  readonly silent: readonly Mount[];
}

export interface DiskSources {
  readonly machine: Machine;
  readonly statfs: StatFs;
  readonly remote: RemoteSpaces;
  /** Where there is no table of mounts. */
  readonly rootAlone?: (() => Promise<Disk | undefined>) | undefined;
}

/** Null where neither a table of mounts nor df tells. */
export async function readDisks({ machine, statfs, remote, rootAlone }: DiskSources): Promise<Disks | null> {
  const table = machine.mounts();
  if (table === null) {
    const root = await rootAlone?.();
    return root === undefined ? null : { disks: [root], silent: [] };
  }
  const chosen = chooseMounts(table);
  const far = chosen.filter(({ kind }) => kind === "remote").map(({ mount }) => mount.point);
  const answers = far.length === 0 ? undefined : await remote.ask(far);
  const disks: Disk[] = [];
  const silent: Mount[] = [];
  for (const { mount, kind } of chosen) {
    if (kind === "image" || kind === "kernel") continue;
    const answer = kind === "remote" ? answers?.get(mount.point) : undefined;
    if (answer?.state === "silent") silent.push(mount);
    const space = kind === "remote" ? (answer?.state === "known" ? answer.space : undefined) : statfs(mount.point);
    if (space === undefined) continue;
    disks.push({ mount, kind, space, ageMs: answer?.state === "known" ? answer.ageMs : 0 });
  }
  return { disks, silent };
}
