import { escapeControls } from "../text/escape.js";

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal";

export interface LogEntry {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** One JSON object on one line, whatever the fields hold. */
export function jsonLine({ time, level, message, fields }: LogEntry): string {
  const own = { time: new Date(time).toISOString(), level, msg: message };
  // First for the order, last for the values: no field forges them.
  return `${escapeControls(JSON.stringify({ ...own, ...fields, ...own }))}\n`;
}

/** `2026-01-31T10:00:00.000Z INFO  message key=value key="a value"`: for a person, and still one line. */
export function textLine({ time, level, message, fields }: LogEntry): string {
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${word(key)}=${typeof value === "string" ? word(value) : JSON.stringify(value)}`);
  const line = `${new Date(time).toISOString()} ${level.toUpperCase().padEnd(5)} ${message}${pairs.join("")}`;
  return `${escapeControls(line)}\n`;
}

const PLAIN = /^[\w./:@+~-]+$/;

function word(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text);
}
