import type { HeldOpen } from "../disks/held-open.js";
import { type Disk } from "../disks/read-disks.js";
import { inodesPercent, usedPercent } from "../disks/space.js";
import type { Facts } from "../look/facts.js";
import { durationText, percentText, plainText, sizeText } from "./text.js";
import { severityOf, type Anomaly, type NextStep, type Thresholds } from "./anomaly.js";

/** File systems that the kernel turns read-only when it finds a fault. */
const TURNS_READ_ONLY = /^(ext[234]|xfs|btrfs|f2fs|jfs)$/;
const TOLD_HOURS = 24;
const CRITICAL_HOURS = 2;
/** Of what is used, what deleted files must take to be the cause. */
const HELD_SHARE = 0.1;

export function ofDisks({ disks, trend, held, hasLogs }: Facts, thresholds: Thresholds): Anomaly[] {
  if (disks === null) return [];
  return [
    ...disks.disks.flatMap((disk) => [
      ...ofSpace(disk, held.get(disk.mount.device), thresholds),
      ...ofInodes(disk, thresholds),
      ...ofReadOnly(disk, hasLogs),
    ]),
    ...disks.disks.flatMap((disk) => ofTrend(disk, trend.of(disk), thresholds)),
    ...disks.silent.map(({ point, type, source }): Anomaly => ({
      severity: "critical",
      kind: "mount",
      fact: `the mount ${plainText(point)} (${type} ${plainText(source)}) does not answer`,
      likelyCause: type.startsWith("fuse") ? "its program hangs or was stopped" : "its server cannot be reached",
      nextStep: { id: "processes-named", name: type.startsWith("fuse") ? plainText(source) : type },
    })),
  ];
}

export function isFull(disk: Disk, { diskPercent }: Thresholds): boolean {
  return usedPercent(disk.space) >= diskPercent && !disk.mount.isReadOnly;
}

function ofSpace(disk: Disk, held: HeldOpen | undefined, thresholds: Thresholds): Anomaly[] {
  if (!isFull(disk, thresholds)) return [];
  const percent = usedPercent(disk.space);
  const { point } = disk.mount;
  return [
    {
      severity: severityOf(percent, thresholds.diskPercent),
      kind: "disk",
      fact: `${plainText(point)} ${percentText(percent)} full, ${sizeText(disk.space.availableBytes)} left`,
      ...(held !== undefined && held.bytes >= HELD_SHARE * disk.space.usedBytes
        ? {
            likelyCause: `${sizeText(held.bytes)} are deleted files that ${plainText(held.comm)} (pid ${held.pid}) still holds open; they go when it closes them or ends`,
            nextStep: { id: "process-tree", pid: held.pid },
          }
        : {
            likelyCause: disk.kind === "memory" ? "files in memory (tmpfs)" : "logs, caches or build results",
            nextStep: largestBelow(point),
          }),
    },
  ];
}

function ofInodes({ space, mount }: Disk, { inodesPercent: threshold }: Thresholds): Anomaly[] {
  const percent = inodesPercent(space);
  if (percent === null || percent < threshold || mount.isReadOnly) return [];
  return [
    {
      severity: severityOf(percent, threshold),
      kind: "disk",
      fact: `${plainText(mount.point)} has ${percentText(percent)} of its inodes in use: no new files soon, whatever space is left`,
      likelyCause: "very many small files, such as a cache or a mail queue",
      nextStep: { id: "list-folder", path: plainText(mount.point) },
    },
  ];
}

function ofReadOnly({ mount }: Disk, hasLogs: boolean): Anomaly[] {
  if (!mount.isDeviceReadOnly || !TURNS_READ_ONLY.test(mount.type)) return [];
  return [
    {
      severity: "warning",
      kind: "disk",
      fact: `${plainText(mount.point)} (${mount.type}) is read-only`,
      likelyCause: "the kernel found a fault in the file system, or it is mounted so on purpose",
      nextStep: hasLogs ? { id: "kernel-log", with: "read-only|I/O error" } : { id: "mounts" },
    },
  ];
}

function ofTrend(disk: Disk, filling: ReturnType<Facts["trend"]["of"]>, thresholds: Thresholds): Anomaly[] {
  if (filling === undefined || filling.hoursLeft > TOLD_HOURS || isFull(disk, thresholds)) return [];
  const { hoursLeft, bytesPerHour, overMs } = filling;
  const { point } = disk.mount;
  return [
    {
      severity: hoursLeft <= CRITICAL_HOURS ? "critical" : "warning",
      kind: "disk",
      fact: `${plainText(point)} fills in ~${durationText(hoursLeft * 3600)} (${sizeText(bytesPerHour)} an hour, over the last ${durationText(overMs / 1000)})`,
      likelyCause: "something that writes all the time",
      nextStep: largestBelow(point),
    },
  ];
}

function largestBelow(point: string): NextStep {
  return { id: "large-files", below: plainText(point) };
}
