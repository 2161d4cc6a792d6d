import { z } from "zod";

/** A pid that the kernel cannot give is answered as unknown, not as a wrong argument. */
export const pid = z.int();

/** What a process is told by besides the seed's columns, where it is asked for. */
export const EXTRA_FIELDS = [
  "ppid",
  "start_id",
  "started",
  "rss_bytes",
  "state",
  "threads",
  "nice",
  "cpu_seconds",
  "unit",
  "container",
  "ports",
  "args",
] as const;
export type ExtraField = (typeof EXTRA_FIELDS)[number];

export const startId = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const processRow = z.strictObject({
  pid: z.int(),
  user: z.string(),
  cpu_percent: z.number().describe("Of one processor, over interval_ms."),
  mem_percent: z.number(),
  command: z.string().describe("Another user's, and what has no arguments, as [name]."),
  state: z.string().optional().describe("As ps has it; by itself where it is Z, D or T."),
  ppid: z.int().optional(),
  start_id: z.int().optional().describe("With the pid it names this one process for ever."),
  started: z.string().nullable().optional(),
  rss_bytes: z.int().optional(),
  threads: z.int().optional(),
  nice: z.int().optional(),
  cpu_seconds: z.number().optional().describe("Since its start."),
  unit: z.string().nullable().optional().describe("Of systemd."),
  container: z.string().nullable().optional(),
  ports: z.array(z.string()).optional().describe("Where it waits for connections."),
  args: z.string().optional().describe("The whole command line, up to 4,096 characters."),
});
export type ProcessRow = z.output<typeof processRow>;
