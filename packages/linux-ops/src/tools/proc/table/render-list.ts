import { shownHandle } from "../../../answer/handle.js";
import { grouped } from "../../../answer/line.js";
import { header } from "../../../answer/header.js";
import type { ExtraField, ProcessRow } from "./fields.js";

export interface ListResult {
  readonly processes: readonly ProcessRow[];
  readonly total_processes: number;
  readonly truncated: boolean;
  readonly handle?: string | null | undefined;
  readonly interval_ms: number;
  readonly hidden?: number | undefined;
  readonly note?: string | undefined;
}

export interface ListArgs {
  readonly name?: unknown;
  readonly port?: number | null | undefined;
  readonly min_cpu?: unknown;
  readonly min_mem?: unknown;
  readonly sort: string;
  readonly fields?: readonly ExtraField[] | undefined;
  readonly ports: boolean;
  readonly user?: unknown;
}

const OTHERS_KEY = "mcp.linux_ops.process_limits.list_other_users";
const MAX_SHOWN = 120;
/** So few are told one by one, whatever they do. */
const FEW = 12;
/** Names of what is idle, the most frequent first. */
const KINDS = 12;
const IDLE = { cpu: 0.1, mem: 1 };
const STATES: Readonly<Record<string, string>> = { Z: "zombie", D: "uninterruptible", T: "stopped", t: "traced" };

/** One header line, then columns; what does nothing is counted by name, unless the caller asked for something certain. */
export function renderList(result: ListResult, args: ListArgs): string {
  const { processes } = result;
  const fields = columnsOf(args);
  if (isNobodyThere(result, args)) return `Nothing listens on port ${args.port}.`;
  // A dead one is odd, very many of them are one oddity.
  const isCrowd = processes.filter(isZombie).length > FEW;
  const idle = isPlain(args) && processes.length > FEW ? processes.filter((each) => isIdle(each, isCrowd)) : [];
  const folded = new Set(idle.length > FEW / 2 ? idle : []);
  const shown = processes.filter((each) => !folded.has(each));
  const columns = ["PID", "USER", "CPU%", "MEM%", ...fields.map((field) => field.toUpperCase()), "COMMAND"];
  const lines = [header(counts(result), notes(result, args))];
  if (shown.length > 0) lines.push(columns.join(" "), ...shown.map((each) => line(each, fields)));
  if (folded.size > 0) lines.push(`idle ${folded.size}: ${kinds([...folded])}`, "more: name=…");
  return lines.join("\n");
}

/** Returns the columns beside the usual ones. */
export function columnsOf({ fields = [], ports }: Pick<ListArgs, "fields" | "ports">): readonly ExtraField[] {
  return ports && !fields.includes("ports") ? ["ports", ...fields] : fields;
}

/** Tells whether the caller asked only for a port, and no hidden process can own the port. */
function isNobodyThere(
  { processes, hidden, note }: ListResult,
  { name, port, user, min_cpu, min_mem }: ListArgs,
): boolean {
  const others = [name, user, min_cpu, min_mem].some((value) => value !== undefined && value !== null);
  return typeof port === "number" && !others && processes.length === 0 && hidden === undefined && note === undefined;
}

function counts({ processes, total_processes: total }: ListResult): string {
  const all = `${grouped(total)} ${total === 1 ? "process" : "processes"}`;
  return processes.length === total ? all : `${grouped(processes.length)} of ${all}`;
}

function notes({ interval_ms, hidden, note, truncated, handle }: ListResult, { sort }: ListArgs): string[] {
  const told = [`by ${sort}`, `CPU over ${(interval_ms / 1000).toFixed(1)} s`];
  if (hidden !== undefined) told.push(`${grouped(hidden)} of other users hidden (${OTHERS_KEY})`);
  if (note !== undefined) told.push(note);
  if (!truncated) return told;
  return [
    ...told,
    "more: max_results, name, user",
    typeof handle === "string" ? `all: ${shownHandle(handle)}` : "no handle",
  ];
}

function isPlain({ name, port, ports, min_cpu, min_mem, sort, fields }: ListArgs): boolean {
  const asked = [name, port, min_cpu, min_mem].some((value) => value !== undefined && value !== null);
  return !asked && !ports && fields === undefined && (sort === "cpu" || sort === "mem");
}

function isIdle(row: ProcessRow, foldsDead: boolean): boolean {
  const { cpu_percent, mem_percent, state } = row;
  return cpu_percent < IDLE.cpu && mem_percent < IDLE.mem && (state === undefined || (foldsDead && isZombie(row)));
}

function isZombie({ state }: ProcessRow): boolean {
  return state === "Z";
}

function line(row: ProcessRow, fields: readonly ExtraField[]): string {
  const { pid, user, cpu_percent, mem_percent, command, state } = row;
  const extra = fields.map((field) => spelled(row[field]));
  const odd = state === undefined || fields.includes("state") ? "" : ` (${STATES[state] ?? state})`;
  const text = command.length <= MAX_SHOWN || fields.length > 0 ? command : `${command.slice(0, MAX_SHOWN)}…`;
  return [pid, user, cpu_percent, mem_percent, ...extra, text + odd].join(" ");
}

function spelled(value: ProcessRow[ExtraField]): string {
  if (value === null || value === undefined) return "-";
  return Array.isArray(value) ? value.join(",").replaceAll(" ", "/") || "-" : `${value}`;
}

/** `bash ×12, sshd ×2`: the most first. */
function kinds(rows: readonly ProcessRow[]): string {
  const byName = new Map<string, number>();
  for (const row of rows) {
    const name = programOf(row.command) + (isZombie(row) ? " (zombie)" : "");
    byName.set(name, (byName.get(name) ?? 0) + 1);
  }
  const order = [...byName].toSorted(([, one], [, other]) => other - one);
  const named = order.slice(0, KINDS).map(([name, count]) => (count === 1 ? name : `${name} ×${count}`));
  const rest = order.slice(KINDS).reduce((sum, [, count]) => sum + count, 0);
  return [...named, ...(rest === 0 ? [] : [`${rest} others`])].join(", ");
}

/** `/usr/sbin/sshd -D` is sshd, `[kworker/0:1-events]` is kworker. */
function programOf(command: string): string {
  const kernel = /^\[([^/:\]]*)/.exec(command)?.[1];
  const [first = ""] = command.replace(/^"/, "").split(" ", 1);
  return (kernel ?? first.slice(first.lastIndexOf("/") + 1)).slice(0, 40) || "?";
}
