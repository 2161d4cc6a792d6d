import { estimateTokens } from "@llmc/toolkit";
import type { Listener, MeasuredProcess, Procfs } from "@llmc/procfs";
import { listProcesses } from "@llmc/te-process";
import { z } from "zod";
import { defineTool, type LinuxOpsContext } from "../../context/context.js";
import { EXTRA_FIELDS, processRow, type ProcessRow } from "./table/fields.js";
import { processesHandle } from "./table/processes-handle.js";
import { columnsOf, renderList } from "./table/render-list.js";
import { rowOf, type RowSources } from "./table/row.js";
import { DEFAULT_BUDGET, LARGEST_BUDGET } from "../../answer/budget.js";

const MOST_PORTS = 20;

export const procList = defineTool({
  name: "linux.proc_list",
  description: "List processes, busiest first.",
  toolset: "proc",
  features: ["mcp.linux_ops.features.proc_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    max_results: z.int().min(1).max(5000).default(200),
    user: z.string().max(256).nullable().optional(),
    name: z.string().min(1).max(1000).nullable().optional(),
    port: z.int().min(1).max(65_535).nullable().optional(),
    ports: z.boolean().default(false).describe("Who listens."),
    sort: z.enum(["cpu", "mem", "start", "pid"]).default("cpu"),
    min_cpu: z.number().min(0).max(1_000_000).nullable().optional(),
    min_mem: z.number().min(0).max(100).nullable().optional().describe("In percent."),
    fields: z
      .array(z.enum(EXTRA_FIELDS))
      .max(EXTRA_FIELDS.length)
      .optional()
      .describe("Columns beside the usual ones."),
  }),
  unlisted: ["min_cpu", "min_mem", "fields"],
  output: z.strictObject({
    processes: z.array(processRow),
    total_processes: z.int().describe("That fit the filters and may be seen."),
    truncated: z.boolean(),
    handle: z.string().nullable().describe("All rows as one JSON array; null when all are here."),
    interval_ms: z.int().describe("What cpu_percent was measured over."),
    hidden: z.int().optional().describe("Other users' that fit the filters."),
    note: z.string().optional(),
  }),
  logs: { args: ["max_results", "user", "name", "port"], result: ["total_processes", "truncated", "hidden"] },

  async handler(args, context) {
    const { procfs, view } = context.processes();
    const { signal } = context;
    const found = await listProcesses(procfs, view, {
      signal,
      sort: args.sort,
      user: args.user ?? undefined,
      name: args.name ?? undefined,
      port: args.port ?? undefined,
      isListening: args.ports,
      minCpu: args.min_cpu ?? undefined,
      minMem: args.min_mem ?? undefined,
    });
    const fields = new Set(columnsOf(args));
    const listeners = found.listeners ?? (fields.has("ports") ? await procfs.processes.listeners({ signal }) : []);
    const sources: RowSources = { procfs, fields, listeners, tell: found.tell };
    const processes = firstRows(found.processes, sources, args.max_results, context);
    const isCut = processes.length < found.processes.length;
    return {
      processes,
      total_processes: found.processes.length,
      truncated: isCut,
      handle: isCut ? await processesHandle(found.processes, sources, context) : null,
      interval_ms: found.intervalMs,
      ...(found.hidden === 0 ? {} : { hidden: found.hidden }),
      ...noteOf(
        procfs,
        listeners.filter(({ port }) => port === (args.port ?? port)),
      ),
    };
  },

  render: renderList,
});

/** Says why a short list may be short of processes. */
function noteOf({ processes }: Procfs, listeners: readonly Listener[]): { note?: string } {
  // The kernel shows the first process to every user, unless it hides other users' processes.
  if (processes.lifeOf(1) === undefined) return { note: "the kernel hides other users' processes (hidepid)" };
  const unseen = [...new Set(listeners.filter(({ pids }) => pids.length === 0).map(({ port }) => port))];
  if (unseen.length === 0) return {};
  return { note: `processes that may not be looked into listen on ${unseen.slice(0, MOST_PORTS).join(", ")}` };
}

/** As many as were asked for, or as the answer may cost where nobody asked for a number. */
function firstRows(
  processes: readonly MeasuredProcess[],
  sources: RowSources,
  count: number,
  { given }: LinuxOpsContext,
): ProcessRow[] {
  let { tokens, bytes } = given.has("max_results") ? LARGEST_BUDGET : DEFAULT_BUDGET;
  const rows: ProcessRow[] = [];
  for (const process of processes.slice(0, count)) {
    const row = rowOf(process, sources);
    const text = Object.values(row).join(" ");
    tokens -= estimateTokens(text);
    bytes -= text.length;
    if (rows.length > 0 && (tokens < 0 || bytes < 0)) break;
    rows.push(row);
  }
  return rows;
}
