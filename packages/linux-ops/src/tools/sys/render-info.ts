import { sizeText } from "@llmc/te-system";
import type { InfoData, InfoResult, InfoType } from "./info-result.js";

/** Writes a line for each part of the type. */
export function renderInfo({ info_type, data, missing = [] }: InfoResult): string {
  const render = RENDER[info_type] as (data: InfoResult["data"]) => string[];
  return [...render(data), ...missing.map((each) => `Not known: ${each}`)].join("\n");
}

const RENDER: { readonly [Type in InfoType]: (data: InfoData[Type]) => string[] } = {
  memory: ({ total, used, available, free, swap_total, swap_used }) => [
    `RAM ${known(total)}: ${known(used)} used, ${known(available)} available, ${known(free)} free`,
    `swap ${known(swap_total)}: ${known(swap_used)} used`,
  ],
  disk: ({ filesystems, silent = [] }) => [
    ...(filesystems ?? []).map(filesystemText),
    ...silent.map((point) => `${point}: does not answer`),
  ],
  cpu: ({ model, cores, threads, architecture, current_usage, load_average }) => [
    `${known(model)}, ${known(cores)} cores, ${known(threads)} threads, ${architecture}`,
    `used ${known(current_usage)}, load ${load_average?.join(" ") ?? UNKNOWN}`,
  ],
  network: ({ interfaces }) => interfaces.map(interfaceText),
  hardware: ({ cpu, memory, product, disks, controllers, virtualization }) => [
    `${known(product)}; ${virtualization ?? "no virtualization seen"}`,
    `${known(cpu)}; RAM ${known(memory)}`,
    ...disks.map(
      ({ name, model, size, kind, removable, read_only }) =>
        `${name}: ${size} ${kind}${model === null ? "" : ` ${model}`}${removable === true ? ", removable" : ""}${read_only === true ? ", read-only" : ""}`,
    ),
    ...controllers.map(
      ({ address, kind, id, driver }) => `${address} ${kind} ${id}${driver === null ? "" : ` ${driver}`}`,
    ),
  ],
  os: ({ distribution, version, kernel, architecture, hostname, uptime, virtualization }) => [
    `${known(distribution)}${version === null ? "" : ` ${version}`}, kernel ${known(kernel)}, ${architecture}`,
    `${known(hostname)}, up ${known(uptime)}${virtualization === null ? "" : `, ${virtualization}`}`,
  ],
};

const UNKNOWN = "unknown";

function known(value: string | number | null): string | number {
  return value ?? UNKNOWN;
}

function filesystemText(each: NonNullable<InfoData["disk"]["filesystems"]>[number]): string {
  const { mount_point, type, device, use_percent, size, available, inodes_percent, read_only } = each;
  const inodes = inodes_percent === null ? "" : `, inodes ${inodes_percent}`;
  return `${mount_point} ${type} ${device}: ${use_percent} of ${size}, ${available} left${inodes}${read_only === true ? ", read-only" : ""}`;
}

function interfaceText({
  name,
  status,
  mac,
  addresses,
  speed_mbit,
  rates,
}: InfoData["network"]["interfaces"][number]): string {
  const facts = [
    known(status),
    ...addresses,
    ...(mac === null ? [] : [mac]),
    ...(speed_mbit === undefined ? [] : [`${speed_mbit} Mbit/s`]),
    ...(rates === null
      ? []
      : [`in ${sizeText(rates.rx_bytes_per_sec)}/s`, `out ${sizeText(rates.tx_bytes_per_sec)}/s`]),
    ...(rates?.errors === undefined ? [] : [`${rates.errors} errors`]),
    ...(rates?.dropped === undefined ? [] : [`${rates.dropped} dropped`]),
  ];
  return `${name}: ${facts.join(", ")}`;
}
