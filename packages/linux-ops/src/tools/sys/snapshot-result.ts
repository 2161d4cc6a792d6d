import { z } from "zod";

const percent = z.number();

const anomaly = z.strictObject({
  severity: z.enum(["critical", "warning"]),
  fact: z.string(),
  likely_cause: z.string(),
  next_call: z.string(),
});

const stalled = z.strictObject({
  some: percent.describe("Share of the last minute in which some work waited for it."),
  full: percent.optional().describe("In which all work did."),
});

const offender = z.strictObject({
  pid: z.int(),
  user: z.string(),
  command: z.string().describe("Of another user's process the name alone."),
  cpu_percent: percent.describe("Of one processor."),
  mem_mb: z.int(),
});

const limits = z.strictObject({
  mem_used_mb: z.int().nullable(),
  mem_limit_mb: z.int().nullable(),
  cpu_limit: z.number().nullable().describe("In processors."),
  cpu_percent: percent.nullable().describe("Of the processors that it may use."),
  throttled_percent: percent.nullable().describe("Of the last periods; null when it hardly ran."),
  pids: z.int().nullable(),
  pids_limit: z.int().nullable(),
  oom_kills: z.int().nullable().describe("Since it was made."),
});

const mount = z.strictObject({
  mount: z.string(),
  device: z.string(),
  type: z.string(),
  answers: z.literal(false).optional(),
  size_bytes: z.int().optional(),
  used_bytes: z.int().optional(),
  available_bytes: z.int().optional(),
  used_percent: percent.optional(),
  inodes_percent: percent.nullable().optional().describe("Null where inodes are made as needed."),
  read_only: z.literal(true).optional(),
});

const networkRate = z.strictObject({
  name: z.string(),
  rx_bytes_per_sec: z.int(),
  tx_bytes_per_sec: z.int(),
  errors: z.int().optional().describe("Over the interval, if any."),
  dropped: z.int().optional(),
});

const listener = z.strictObject({
  protocol: z.enum(["tcp", "udp"]),
  address: z.string(),
  port: z.int(),
  pid: z.int().nullable().describe("Null where whose it is may not be looked into."),
  process: z.string().nullable().describe("Of another user's process the name alone."),
});

export const snapshotResult = z.strictObject({
  short_summary: z.string().describe("What is wrong and what to call next; else that all is well."),
  anomalies: z.array(anomaly).describe("The worst first; empty: nothing is wrong."),
  cpu_percent: percent.nullable().describe("Of all processors together, over 0.1 to 10 s."),
  load_avg: z.tuple([z.number(), z.number(), z.number()]).nullable(),
  mem_used_mb: z.int().nullable().describe("Total without what programs can still get."),
  mem_total_mb: z.int().nullable(),
  mem_free_mb: z.int().nullable().describe("Holds nothing, not even cached files: low on a healthy box."),
  swap_used_mb: z.int().optional().describe("Where there is swap."),
  disks: z.array(
    z.strictObject({
      mount: z.string(),
      used_percent: percent,
      read_only: z.literal(true).optional(),
    }),
  ),
  pressure: z
    .strictObject({ cpu: stalled.nullable(), memory: stalled.nullable(), io: stalled.nullable() })
    .nullable()
    .describe("Null: this kernel does not count it."),
  container: limits.optional().describe("Where less than the machine may be used, or with include cgroup."),
  offenders: z.array(offender).optional().describe("Who uses most of what is short."),
  missing: z.array(z.string()).optional().describe("Why a figure is null."),
  cores: z
    .strictObject({
      percent: z.array(percent),
      steal_percent: percent,
      iowait_percent: percent,
      interval_ms: z.int(),
    })
    .optional(),
  net: z.array(networkRate).nullable().optional(),
  ports: z.array(listener).optional(),
  ports_hidden: z.int().optional().describe("Ports whose process was not to be seen."),
  mounts: z.array(mount).nullable().optional(),
});

export type SnapshotResult = z.output<typeof snapshotResult>;
