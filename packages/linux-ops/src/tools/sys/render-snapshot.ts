import { sizeText } from "@llmc/te-system";
import type { Block } from "./answer-snapshot.js";
import type { SnapshotResult } from "./snapshot-result.js";

type Blocks = ReadonlySet<Block>;

/** Most processes named with an anomaly. */
const OFFENDERS = 3;
const COMMAND_CHARS = 40;
const MB = 1024 * 1024;

/** Says that all is well, with figures; or writes a line for each anomaly and the figures that none of them has. */
export function renderSnapshot(result: SnapshotResult, include: Blocks): string {
  const { anomalies, short_summary, offenders = [], missing = [] } = result;
  const facts = anomalies.map(
    ({ severity, fact, likely_cause, next_call }) =>
      `${severity.toUpperCase()}: ${fact}. Likely: ${likely_cause}. Next: ${next_call}`,
  );
  const most = offenders.slice(0, OFFENDERS).map(offenderText);
  const figures = figuresBeside(result).join(", ");
  return [
    ...(facts.length === 0 ? [short_summary] : facts),
    ...(most.length === 0 ? [] : [`Most used by: ${most.join("; ")}`]),
    ...(facts.length === 0 || figures === "" ? [] : [figures]),
    ...(missing.length === 0 ? [] : [`Not known: ${missing.join("; ")}`]),
    ...blocksOf(result, include),
  ].join("\n");
}

type Offender = NonNullable<SnapshotResult["offenders"]>[number];

function offenderText({ pid, command, cpu_percent, mem_mb }: Offender): string {
  const shown = command.length <= COMMAND_CHARS ? command : `${command.slice(0, COMMAND_CHARS)}…`;
  return `pid ${pid} ${shown} (CPU ${Math.round(cpu_percent)}%, ${sizeText(mem_mb * MB)})`;
}

/** Leaves out figures that an anomaly already has. */
function figuresBeside({
  anomalies,
  cpu_percent,
  load_avg,
  mem_used_mb,
  mem_total_mb,
  disks,
}: SnapshotResult): string[] {
  const fullest = disks
    .filter(({ read_only }) => read_only !== true)
    .toSorted((a, b) => b.used_percent - a.used_percent)[0];
  const figures = [
    ...(cpu_percent === null ? [] : [`CPU ${Math.round(cpu_percent)}%`]),
    ...(load_avg === null ? [] : [`load ${load_avg[0]}`]),
    ...(mem_used_mb === null || mem_total_mb === null
      ? []
      : [`RAM ${sizeText(mem_used_mb * MB)}/${sizeText(mem_total_mb * MB)}`]),
    ...(fullest === undefined ? [] : [`${fullest.mount} ${Math.round(fullest.used_percent)}% used`]),
  ];
  return figures.filter((figure) => !anomalies.some(({ fact }) => fact.includes(figure.replace(/ used$/, ""))));
}

function blocksOf(result: SnapshotResult, include: Blocks): string[] {
  const { cores, net, ports, ports_hidden = 0, container, mounts } = result;
  return [
    ...(cores === undefined ? [] : [coresText(cores)]),
    ...(net === undefined ? [] : net === null ? ["net: not known"] : net.map(rateText)),
    ...(ports ?? []).map(portText),
    ...(ports_hidden > 0 ? [`${ports_hidden} ports of processes that this server may not look into`] : []),
    ...(include.has("cgroup") && container !== undefined ? [containerText(container)] : []),
    ...(mounts === undefined ? [] : mounts === null ? ["mounts: not known"] : mounts.map(mountText)),
  ];
}

function coresText({ percent, steal_percent, iowait_percent }: NonNullable<SnapshotResult["cores"]>): string {
  const each = percent.map((one) => `${Math.round(one)}%`).join(" ");
  return `cores: ${each}, steal ${steal_percent}%, iowait ${iowait_percent}%`;
}

function rateText(rate: NonNullable<NonNullable<SnapshotResult["net"]>>[number]): string {
  const { name, rx_bytes_per_sec: rx, tx_bytes_per_sec: tx, errors = 0, dropped = 0 } = rate;
  const bad = [...(errors > 0 ? [`${errors} errors`] : []), ...(dropped > 0 ? [`${dropped} dropped`] : [])];
  return [`${name}: in ${sizeText(rx)}/s`, `out ${sizeText(tx)}/s`, ...bad].join(", ");
}

function portText({ protocol, address, port, pid, process }: NonNullable<SnapshotResult["ports"]>[number]): string {
  const place = address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
  return `${protocol} ${place}${pid === null ? "" : ` pid ${pid}`}${process === null ? "" : ` ${process}`}`;
}

function containerText(container: NonNullable<SnapshotResult["container"]>): string {
  const { mem_used_mb, mem_limit_mb, cpu_limit, cpu_percent, throttled_percent, pids, pids_limit, oom_kills } =
    container;
  const of = (limit: string | null): string => (limit === null ? ", no limit" : ` of ${limit}`);
  const parts = [
    ...(mem_used_mb === null
      ? []
      : [`RAM ${sizeText(mem_used_mb * MB)}${of(mem_limit_mb === null ? null : sizeText(mem_limit_mb * MB))}`]),
    ...(cpu_percent === null
      ? []
      : [`CPU ${Math.round(cpu_percent)}%${of(cpu_limit === null ? null : `${cpu_limit} processors`)}`]),
    ...(throttled_percent === null ? [] : [`throttled ${throttled_percent}%`]),
    ...(pids === null ? [] : [`processes ${pids}${of(pids_limit === null ? null : String(pids_limit))}`]),
    ...(oom_kills === null || oom_kills === 0 ? [] : [`${oom_kills} killed for want of memory`]),
  ];
  return `cgroup: ${parts.join("; ")}`;
}

function mountText(mount: NonNullable<SnapshotResult["mounts"]>[number]): string {
  const { device, type, answers, size_bytes, available_bytes, used_percent, inodes_percent, read_only } = mount;
  const head = `${mount.mount} ${type} ${device}`;
  if (answers === false || size_bytes === undefined) return `${head}: does not answer`;
  const facts = [
    `${used_percent}% of ${sizeText(size_bytes)}`,
    `${sizeText(available_bytes ?? 0)} left`,
    ...(typeof inodes_percent === "number" ? [`inodes ${inodes_percent}%`] : []),
    ...(read_only === true ? ["read-only"] : []),
  ];
  return `${head}: ${facts.join(", ")}`;
}
