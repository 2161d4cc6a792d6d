import { z } from "zod";

const size = z.string().nullable().describe('In base 1024, as "8.2GB".');
const bytes = z.int().nullable();
const text = z.string().nullable();

const memory = z.strictObject({
  total: size,
  used: size.describe("Total without available."),
  free: size.describe("Holds nothing, not even cached files."),
  available: size.describe("What programs can still get."),
  swap_total: size,
  swap_used: size,
  total_bytes: bytes,
  used_bytes: bytes,
  free_bytes: bytes,
  available_bytes: bytes,
  swap_total_bytes: bytes,
  swap_used_bytes: bytes,
});

const disk = z.strictObject({
  filesystems: z
    .array(
      z.strictObject({
        device: z.string(),
        mount_point: z.string(),
        type: z.string(),
        size: z.string(),
        used: z.string(),
        available: z.string(),
        use_percent: z.string().describe("Of what there is to use, as df has it."),
        size_bytes: z.int(),
        used_bytes: z.int(),
        available_bytes: z.int(),
        inodes_percent: z.string().nullable(),
        read_only: z.literal(true).optional(),
      }),
    )
    .nullable()
    .describe("One for each device; what is in memory only where something is in it."),
  silent: z.array(z.string()).optional().describe("Mounts that do not answer."),
});

const cpu = z.strictObject({
  model: text,
  cores: z.int().nullable(),
  threads: z.int().nullable(),
  architecture: z.string(),
  current_usage: z.string().nullable(),
  current_usage_percent: z.number().nullable(),
  load_average: z.tuple([z.number(), z.number(), z.number()]).nullable(),
});

const network = z.strictObject({
  interfaces: z.array(
    z.strictObject({
      name: z.string(),
      status: text,
      mac: text,
      addresses: z.array(z.string()),
      speed_mbit: z.int().optional(),
      rates: z
        .strictObject({
          rx_bytes_per_sec: z.int(),
          tx_bytes_per_sec: z.int(),
          errors: z.int().optional(),
          dropped: z.int().optional(),
        })
        .nullable(),
    }),
  ),
});

const hardware = z.strictObject({
  cpu: text,
  memory: size,
  memory_bytes: bytes,
  product: text,
  disks: z.array(
    z.strictObject({
      name: z.string(),
      model: text,
      size: z.string(),
      size_bytes: z.int(),
      kind: z.enum(["ssd", "hdd", "virtual", "unknown"]),
      removable: z.literal(true).optional(),
      read_only: z.literal(true).optional(),
    }),
  ),
  controllers: z.array(
    z.strictObject({
      address: z.string(),
      kind: z.string(),
      id: z.string().describe("vendor:device"),
      driver: text,
    }),
  ),
  virtualization: text.describe("kvm, vmware, wsl …, with the container if in one; null: none seen."),
});

const operatingSystem = z.strictObject({
  kernel: text,
  distribution: text,
  version: text,
  architecture: z.string(),
  hostname: text,
  uptime: text,
  uptime_seconds: z.int().nullable(),
  virtualization: text,
});

export const infoResult = z.strictObject({
  info_type: z.enum(["memory", "disk", "cpu", "network", "hardware", "os"]),
  data: z.union([memory, disk, cpu, network, hardware, operatingSystem]),
  timestamp: z.string().describe("When it was measured; an answer may be kept for a moment."),
  missing: z.array(z.string()).optional().describe("Why a field is null."),
});

export type InfoType = z.output<typeof infoResult>["info_type"];
export type InfoResult = z.output<typeof infoResult>;

export interface InfoData {
  readonly memory: z.output<typeof memory>;
  readonly disk: z.output<typeof disk>;
  readonly cpu: z.output<typeof cpu>;
  readonly network: z.output<typeof network>;
  readonly hardware: z.output<typeof hardware>;
  readonly os: z.output<typeof operatingSystem>;
}
