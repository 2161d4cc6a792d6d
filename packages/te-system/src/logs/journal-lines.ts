import type { LogEntry } from "./entry.js";

export interface JournalLine {
  readonly cursor: string;
  readonly entry: LogEntry;
}

/** One line of journalctl --output=json; undefined for what is none, such as the rest of a line that was cut. */
export function parseJournalLine(line: string): JournalLine | undefined {
  let fields: Readonly<Record<string, unknown>>;
  try {
    fields = JSON.parse(line) as typeof fields;
  } catch {
    return undefined;
  }
  if (typeof fields !== "object" || fields === null) return undefined;
  const text = (key: string): string | undefined => textOf(fields[key]);
  const cursor = text("__CURSOR");
  if (cursor === undefined) return undefined;
  const micros = Number(text("__REALTIME_TIMESTAMP"));
  const pid = Number(text("_PID") ?? text("SYSLOG_PID"));
  const priority = Number(text("PRIORITY"));
  const unit = text("_SYSTEMD_UNIT")?.replace(/\.service$/, "");
  const entry = {
    atMs: Number.isFinite(micros) ? Math.floor(micros / 1000) : null,
    source: text("SYSLOG_IDENTIFIER") ?? unit ?? text("_COMM") ?? "?",
    pid: Number.isInteger(pid) && pid > 0 ? pid : null,
    priority: Number.isInteger(priority) && text("PRIORITY") !== undefined ? priority : null,
    // A message above 4 KB is null, one with odd bytes a list of them, one that was given twice a list of texts.
    message: text("MESSAGE") ?? "(too long for journalctl to show)",
  };
  return { cursor, entry };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return undefined;
  if (value.every((each) => typeof each === "number")) return Buffer.from(value).toString("utf8");
  return value.map((each: unknown) => textOf(each) ?? "").join("\n");
}
