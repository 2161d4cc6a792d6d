import type { Listener } from "@llmc/procfs";
import type { View } from "@llmc/te-process";
import {
  inodesPercent,
  usedPercent,
  type Anomaly,
  type Disk,
  type Disks,
  type Limits,
  type Snapshot,
  type Summary,
} from "@llmc/te-system";
import { nextCall } from "../../hints/next-calls.js";
import type { SnapshotResult } from "./snapshot-result.js";

export type Block = "cores" | "net" | "ports" | "cgroup" | "mounts";

/** With every block that was asked for. */
export function answerSnapshot(snapshot: Snapshot, include: ReadonlySet<Block>, view: View): SnapshotResult {
  const { summary, anomalies, cpu, load, memory, disks, limits, offenders, rates, missing } = snapshot;
  const isLimited = limits !== null && (limits.isLimited || include.has("cgroup"));
  return {
    short_summary: summaryOf(summary, anomalies),
    anomalies: anomalies.map(({ severity, fact, likelyCause, nextStep }) => ({
      severity,
      fact,
      likely_cause: likelyCause,
      next_call: nextCall(nextStep),
    })),
    cpu_percent: cpu && rounded(cpu.percent),
    load_avg: load && [...load],
    mem_used_mb: memory && mebibytes(memory.usedBytes),
    mem_total_mb: memory && mebibytes(memory.totalBytes),
    mem_free_mb: memory && mebibytes(memory.freeBytes),
    ...(memory !== null && memory.swapTotalBytes > 0 ? { swap_used_mb: mebibytes(memory.swapUsedBytes) } : {}),
    disks: disks.map(({ mount, space }) => ({
      mount: mount.point,
      used_percent: rounded(usedPercent(space)),
      ...(mount.isReadOnly ? { read_only: true as const } : {}),
    })),
    pressure: pressureOf(snapshot),
    ...(isLimited ? { container: limitsOf(limits) } : {}),
    ...(offenders.length > 0
      ? {
          offenders: offenders.map((each) => ({
            pid: each.pid,
            user: view.user(each.uid),
            command: cut(view.command(each)),
            cpu_percent: rounded(each.cpuPercent),
            mem_mb: mebibytes(each.rssBytes),
          })),
        }
      : {}),
    ...(missing.length > 0 ? { missing: [...missing] } : {}),
    ...(include.has("cores") && cpu !== null
      ? {
          cores: {
            percent: cpu.cores.map(rounded),
            steal_percent: rounded(cpu.stealPercent),
            iowait_percent: rounded(cpu.iowaitPercent),
            interval_ms: cpu.intervalMs,
          },
        }
      : {}),
    ...(include.has("net") ? { net: rates && ratesOf(rates) } : {}),
    ...(include.has("mounts") ? { mounts: snapshot.all && mountsOf(snapshot.all) } : {}),
  };
}

/** One line: the worst anomaly and its next call, or that all is well, then the figures. */
function summaryOf({ headline, also, figures }: Summary, [worst]: readonly Anomaly[]): string {
  if (worst === undefined) return `${headline}: ${figures}`;
  const rest = also.length === 0 ? "" : ` Also: ${also.join("; ")}.`;
  return `${headline}; next: ${nextCall(worst.nextStep)}.${rest} ${figures}`;
}

/** Who waits on which port, a row for each address. */
export function answerPorts(
  listeners: readonly Listener[],
  commandOf: (pid: number) => string | null,
): Pick<SnapshotResult, "ports" | "ports_hidden"> {
  const ports = listeners.map(({ protocol, address, port, pids: [pid] }) => ({
    protocol,
    address,
    port,
    pid: pid ?? null,
    process: pid === undefined ? null : commandOf(pid),
  }));
  const hidden = ports.filter(({ pid }) => pid === null).length;
  return { ports, ...(hidden > 0 ? { ports_hidden: hidden } : {}) };
}

const MAX_COMMAND = 120;

export function cut(command: string): string {
  return command.length <= MAX_COMMAND ? command : `${command.slice(0, MAX_COMMAND)}…`;
}

function pressureOf({ pressure }: Snapshot): SnapshotResult["pressure"] {
  const { cpu, memory, io } = pressure;
  if (cpu === null && memory === null && io === null) return null;
  const told = (of: "cpu" | "memory" | "io") => {
    const found = pressure[of];
    if (found === null) return null;
    // What all work waited for is never a processor: somebody had it.
    return { some: found.some[1], ...(found.full === null || of === "cpu" ? {} : { full: found.full[1] }) };
  };
  return { cpu: told("cpu"), memory: told("memory"), io: told("io") };
}

function limitsOf({ group, cpuPercent, throttledPercent }: Limits): NonNullable<SnapshotResult["container"]> {
  const { memory, cpu, pids } = group;
  return {
    mem_used_mb: memory.usedBytes === null ? null : mebibytes(memory.usedBytes),
    mem_limit_mb: memory.limitBytes === null ? null : mebibytes(memory.limitBytes),
    cpu_limit: cpu.cores,
    cpu_percent: cpuPercent === null ? null : rounded(cpuPercent),
    throttled_percent: throttledPercent === null ? null : rounded(throttledPercent),
    pids: pids.used,
    pids_limit: pids.limit,
    oom_kills: memory.oomKills,
  };
}

function ratesOf(rates: NonNullable<Snapshot["rates"]>): NonNullable<SnapshotResult["net"]> {
  return rates.map(({ name, rxBytesPerSecond, txBytesPerSecond, errors, dropped }) => ({
    name,
    rx_bytes_per_sec: Math.round(rxBytesPerSecond),
    tx_bytes_per_sec: Math.round(txBytesPerSecond),
    ...(errors > 0 ? { errors } : {}),
    ...(dropped > 0 ? { dropped } : {}),
  }));
}

function mountsOf({ disks, silent }: Disks): NonNullable<SnapshotResult["mounts"]> {
  return [
    ...disks.map(rowOf),
    ...silent.map(({ point, source, type }) => ({ mount: point, device: source, type, answers: false as const })),
  ];
}

function rowOf({ mount, space }: Disk): NonNullable<SnapshotResult["mounts"]>[number] {
  const inodes = inodesPercent(space);
  return {
    mount: mount.point,
    device: mount.source,
    type: mount.type,
    size_bytes: space.totalBytes,
    used_bytes: space.usedBytes,
    available_bytes: space.availableBytes,
    used_percent: rounded(usedPercent(space)),
    inodes_percent: inodes === null ? null : rounded(inodes),
    ...(mount.isReadOnly ? { read_only: true as const } : {}),
  };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function mebibytes(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024);
}
