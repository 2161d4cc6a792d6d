import { closeSync, constants, openSync, readSync } from "node:fs";
import type { LogEntry } from "./entry.js";

const RECORD = /^(\d+),(\d+),(\d+),[^;]*;([^\n]*)/;
const MAX_RECORDS = 100_000;

/** The kernel's own ring of messages, a record a read. Null: not ours to read, or not there. */
export function readKernelLog(path: string, bootedAtMs: number | null): LogEntry[] | null {
  const entries: LogEntry[] = [];
  const buffer = Buffer.alloc(16 * 1024);
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    while (entries.length < MAX_RECORDS) {
      const record = nextRecord(file, buffer);
      if (record === "end") break;
      if (record !== "lost") entries.push(...parseRecord(record, bootedAtMs));
    }
    return entries;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function nextRecord(file: number, buffer: Buffer): string {
  try {
    const length = readSync(file, buffer, 0, buffer.length, null);
    return length === 0 ? "end" : buffer.toString("utf8", 0, length);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    // EAGAIN: that was the last one. EPIPE: it was overwritten while we read; the next read goes on behind it.
    if (code === "EAGAIN") return "end";
    if (code === "EPIPE") return "lost";
    throw thrown;
  }
}

/** The first field holds the priority in its lowest three bits; the time is since the start, in microseconds. */
function parseRecord(text: string, bootedAtMs: number | null): LogEntry[] {
  const found = RECORD.exec(text);
  if (found === null) return [];
  const [, prefix, , micros, message = ""] = found;
  return [
    {
      atMs: bootedAtMs === null ? null : bootedAtMs + Math.floor(Number(micros) / 1000),
      source: "kernel",
      pid: null,
      priority: Number(prefix) % 8,
      message,
    },
  ];
}
