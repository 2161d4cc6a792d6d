import {
  durationText,
  inodesPercent,
  percentText,
  sizeText,
  usedPercent,
  type CpuInfo,
  type Disks,
  type HardwareInfo,
  type Info,
  type MemoryUse,
  type NetworkInfo,
  type OsInfo,
} from "@llmc/te-system";
import type { InfoData, InfoResult, InfoType } from "./info-result.js";

/** What there is to tell, measured now. */
export async function answerInfo(info: Info, type: InfoType, signal: AbortSignal): Promise<InfoResult> {
  const [data, why] = await READ[type](info, signal);
  const unknown = Object.entries(data).flatMap(([field, value]) => (value === null ? [field] : []));
  return {
    info_type: type,
    data,
    timestamp: new Date().toISOString(),
    ...(unknown.length > 0 ? { missing: [`${unknown.join(", ")}: ${why}`] } : {}),
  };
}

type Read<Type extends InfoType> = (info: Info, signal: AbortSignal) => Promise<[InfoData[Type], why: string]>;

const READ: { readonly [Type in InfoType]: Read<Type> } = {
  memory: async (info) => [memoryData(info.memory()), "/proc/meminfo cannot be read"],
  disk: async (info) => [diskData(await info.disks()), "/proc/self/mountinfo cannot be read"],
  cpu: async (info, signal) => [cpuData(await info.cpu(signal)), "/proc/cpuinfo or /proc/stat does not tell"],
  network: async (info, signal) => [networkData(await info.network(signal)), "/proc/net/dev cannot be read"],
  hardware: async (info) => [
    hardwareData(info.hardware()),
    "the firmware does not tell, this server may not read it, or there is none",
  ],
  os: async (info) => [osData(info.os()), "nothing on this machine tells, or there is none"],
};

function memoryData(memory: MemoryUse | null): InfoData["memory"] {
  const text = (bytes: number | undefined): string | null => (bytes === undefined ? null : sizeText(bytes));
  return {
    total: text(memory?.totalBytes),
    used: text(memory?.usedBytes),
    free: text(memory?.freeBytes),
    available: text(memory?.availableBytes),
    swap_total: text(memory?.swapTotalBytes),
    swap_used: text(memory?.swapUsedBytes),
    total_bytes: memory?.totalBytes ?? null,
    used_bytes: memory?.usedBytes ?? null,
    free_bytes: memory?.freeBytes ?? null,
    available_bytes: memory?.availableBytes ?? null,
    swap_total_bytes: memory?.swapTotalBytes ?? null,
    swap_used_bytes: memory?.swapUsedBytes ?? null,
  };
}

function diskData(found: Disks | null): InfoData["disk"] {
  const silent = (found?.silent ?? []).map(({ point }) => point);
  return {
    filesystems:
      found && found.disks.filter(({ kind, space }) => kind !== "memory" || space.usedBytes > 0).map(filesystem),
    ...(silent.length > 0 ? { silent } : {}),
  };
}

function filesystem({ mount, space }: Disks["disks"][number]): NonNullable<InfoData["disk"]["filesystems"]>[number] {
  const inodes = inodesPercent(space);
  return {
    device: mount.source,
    mount_point: mount.point,
    type: mount.type,
    size: sizeText(space.totalBytes),
    used: sizeText(space.usedBytes),
    available: sizeText(space.availableBytes),
    use_percent: percentText(usedPercent(space)),
    size_bytes: space.totalBytes,
    used_bytes: space.usedBytes,
    available_bytes: space.availableBytes,
    inodes_percent: inodes === null ? null : percentText(inodes),
    ...(mount.isReadOnly ? { read_only: true as const } : {}),
  };
}

function cpuData({ model, cores, threads, architecture, percent, load }: CpuInfo): InfoData["cpu"] {
  return {
    model,
    cores,
    threads,
    architecture,
    current_usage: percent === null ? null : percentText(percent),
    current_usage_percent: percent === null ? null : Math.round(percent * 10) / 10,
    load_average: load && [...load],
  };
}

function networkData({ interfaces, rates }: NetworkInfo): InfoData["network"] {
  const of = new Map(rates?.map((rate) => [rate.name, rate]));
  return {
    interfaces: interfaces.map(({ name, status, mac, addresses, mbitPerSecond }) => {
      const rate = of.get(name);
      return {
        name,
        status,
        mac,
        addresses: [...addresses],
        ...(mbitPerSecond === null ? {} : { speed_mbit: mbitPerSecond }),
        rates:
          rate === undefined
            ? null
            : {
                rx_bytes_per_sec: Math.round(rate.rxBytesPerSecond),
                tx_bytes_per_sec: Math.round(rate.txBytesPerSecond),
                ...(rate.errors > 0 ? { errors: rate.errors } : {}),
                ...(rate.dropped > 0 ? { dropped: rate.dropped } : {}),
              },
      };
    }),
  };
}

function hardwareData(found: HardwareInfo): InfoData["hardware"] {
  const { processor, memoryBytes, product, disks, controllers, virtualization } = found;
  const { model, cores, threads } = processor;
  return {
    cpu: model === null && threads === null ? null : `${model ?? "unknown"} (${cores} cores, ${threads} threads)`,
    memory: memoryBytes === null ? null : sizeText(memoryBytes),
    memory_bytes: memoryBytes,
    product,
    disks: disks.map(({ name, model: of, sizeBytes, isVirtual, isRotational, isRemovable, isReadOnly }) => ({
      name,
      model: of,
      size: sizeText(sizeBytes),
      size_bytes: sizeBytes,
      kind: isVirtual ? "virtual" : isRotational === null ? "unknown" : isRotational ? "hdd" : "ssd",
      ...(isRemovable ? { removable: true as const } : {}),
      ...(isReadOnly ? { read_only: true as const } : {}),
    })),
    controllers: [...controllers],
    virtualization: virtualizationText(virtualization),
  };
}

function osData({
  kernel,
  name,
  version,
  architecture,
  hostname,
  uptimeSeconds,
  virtualization,
}: OsInfo): InfoData["os"] {
  return {
    kernel,
    distribution: name,
    version,
    architecture,
    hostname,
    uptime: uptimeSeconds === null ? null : durationText(uptimeSeconds),
    uptime_seconds: uptimeSeconds === null ? null : Math.floor(uptimeSeconds),
    virtualization: virtualizationText(virtualization),
  };
}

function virtualizationText({ machine, container }: OsInfo["virtualization"]): string | null {
  if (container === null) return machine;
  return machine === null ? `container: ${container}` : `${machine}, container: ${container}`;
}
