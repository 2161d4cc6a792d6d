import type { Listener, MeasuredProcess, Procfs } from "@llmc/procfs";
import type { ProcessList, Told } from "@llmc/te-process";
import type { ExtraField, ProcessRow } from "./fields.js";

const MAX_COMMAND = 300;
/** States that say something by themselves: dead, stuck in the kernel, stopped. */
const TELLING = new Set(["Z", "D", "T", "t"]);

/** What a row is made of besides the process itself. */
export interface RowSources extends Pick<ProcessList, "tell"> {
  readonly procfs: Procfs;
  readonly fields: ReadonlySet<ExtraField>;
  /** Looked up where ports are asked for. */
  readonly listeners: readonly Listener[];
}

/** The seed's columns, and what was asked for beside them. */
export function rowOf(process: MeasuredProcess, sources: RowSources): ProcessRow {
  const told = sources.tell(process);
  const row: ProcessRow = {
    pid: process.pid,
    user: told.user,
    cpu_percent: rounded(process.cpuPercent),
    mem_percent: rounded(told.memPercent),
    command: cut(told.command),
  };
  if (TELLING.has(process.state)) row.state = process.state;
  for (const field of sources.fields) Object.assign(row, { [field]: valueOf(field, process, told, sources) });
  return row;
}

function valueOf(field: ExtraField, process: MeasuredProcess, told: Told, { procfs, listeners }: RowSources): unknown {
  switch (field) {
    case "start_id":
      return process.startTicks;
    case "started":
      return told.startedAtMs === null ? null : new Date(told.startedAtMs).toISOString();
    case "rss_bytes":
      return process.rssBytes;
    case "cpu_seconds":
      return rounded(process.cpuTicks / procfs.units.ticksPerSecond);
    case "unit":
    case "container":
      return procfs.processes.belongingOf(process.pid)?.[field] ?? null;
    case "ports":
      return listeners.filter(({ pids }) => pids.includes(process.pid)).map(spellListener);
    case "args":
      return told.command;
    case "ppid":
    case "state":
    case "threads":
    case "nice":
      return process[field];
  }
}

function spellListener({ protocol, address, port }: Listener): string {
  return `${protocol} ${address.includes(":") ? `[${address}]` : address}:${port}`;
}

function rounded(figure: number): number {
  return Math.round(figure * 10) / 10;
}

function cut(command: string): string {
  return command.length <= MAX_COMMAND ? command : `${whole(command)}…[+${command.length - MAX_COMMAND}]`;
}

/** A character outside the first plane is two units; half of one is none. */
function whole(command: string): string {
  return command.slice(0, MAX_COMMAND).replace(/[\ud800-\udbff]$/, "");
}
