import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { InvalidArgumentError } from "@llmc/errors";
import { matcher, type LogEntry, type LogPage, type LogQuery } from "./entry.js";
import { readKernelLog } from "./kernel-log.js";
import { parseSyslogLine } from "./syslog-lines.js";

/** Nothing else is read, whatever the arguments say. */
const SYSTEM_FILES = ["var/log/syslog", "var/log/messages"];
const KERNEL_FILES = ["var/log/kern.log"];
const KERNEL_RING = "dev/kmsg";
/** The end of a file is looked at, so much of it. */
const TAIL_BYTES = 16 * 1024 * 1024;
const CURSOR = /^f:(\d+):(\d+)$/;

export type FileAnswer =
  | { readonly page: LogPage }
  /** Why there is none: what was looked for, and whether it may not be read. */
  | { readonly closed: readonly string[]; readonly absent: readonly string[] };

export function readLogFiles(query: LogQuery, root: string, bootedAtMs: number | null, now: Date): FileAnswer {
  const files = query.unit === "kernel" ? [KERNEL_RING, ...KERNEL_FILES] : [...SYSTEM_FILES, KERNEL_RING];
  const [closed, absent]: [string[], string[]] = [[], []];
  for (const name of files) {
    const path = `${root}/${name}`;
    const found = name === KERNEL_RING ? ringPage(path, query, bootedAtMs) : filePage(path, query, now);
    if (typeof found === "object") return { page: found };
    (found === "closed" ? closed : absent).push(path);
  }
  return { closed, absent };
}

function ringPage(path: string, query: LogQuery, bootedAtMs: number | null): LogPage | "absent" {
  const all = readKernelLog(path, bootedAtMs);
  if (all === null) return "absent";
  if (query.cursor !== undefined) throw foreign();
  return pageOf(all, query, { from: path, cursor: null, notes: [] });
}

function filePage(path: string, query: LogQuery, now: Date): LogPage | "absent" | "closed" {
  let file: number | undefined;
  try {
    // O_NONBLOCK: a FIFO of that name must not hold the server.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    if (!stats.isFile()) return "absent";
    const { size, ino } = stats;
    const from = startOf(query.cursor, ino, size);
    const { text, end } = linesFrom(file, from, size, query.cursor !== undefined);
    const entries = text === "" ? [] : text.split("\n").map((line) => parseSyslogLine(line, now));
    return pageOf(entries, query, {
      from: path,
      cursor: `f:${ino}:${end}`,
      notes: [
        ...(query.priority === undefined
          ? []
          : ["the file has no priorities: they are told by words such as error and warning"]),
        ...(from > 0 && query.cursor === undefined
          ? [`only the last ${TAIL_BYTES / 1024 / 1024} MB of it were looked at`]
          : []),
      ],
    });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EPERM") return "closed";
    if (thrown instanceof InvalidArgumentError) throw thrown;
    return "absent";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function startOf(cursor: string | undefined, ino: number, size: number): number {
  if (cursor === undefined) return Math.max(0, size - TAIL_BYTES);
  const [, inode, offset] = CURSOR.exec(cursor) ?? [];
  if (inode === undefined) throw foreign();
  if (Number(inode) !== ino || Number(offset) > size)
    throw new InvalidArgumentError("cursor is of a file that was rotated away", { id: "time-instead" });
  return Number(offset);
}

function foreign(): InvalidArgumentError {
  return new InvalidArgumentError("cursor is none of this log", { id: "time-instead" });
}

/** Whole lines only: what the writer has not finished yet is for the next time. */
function linesFrom(file: number, from: number, size: number, isWhole: boolean): { text: string; end: number } {
  const buffer = Buffer.alloc(Math.min(size - from, TAIL_BYTES));
  const length = readSync(file, buffer, 0, buffer.length, from);
  const last = buffer.lastIndexOf(0x0a, length - 1);
  // In the middle of a file the first line may be the rest of one.
  const first = isWhole || from === 0 ? 0 : buffer.indexOf(0x0a) + 1;
  return { text: last < first ? "" : buffer.toString("utf8", first, last), end: from + last + 1 };
}

function pageOf(all: readonly LogEntry[], query: LogQuery, rest: Pick<LogPage, "from" | "cursor" | "notes">): LogPage {
  const fits = matcher(query.grep);
  const unit = query.unit?.replace(/\.service$/, "").toLowerCase();
  const wanted = all.filter(
    ({ atMs, source, priority, message }) =>
      (unit === undefined || source.toLowerCase() === unit) &&
      (query.priority === undefined || (priority !== null && priority <= query.priority)) &&
      (query.sinceMs === undefined || (atMs !== null && atMs >= query.sinceMs)) &&
      (query.untilMs === undefined || (atMs !== null && atMs <= query.untilMs)) &&
      fits(`${source} ${message}`),
  );
  const entries = query.cursor === undefined ? wanted.slice(-query.lines) : wanted.slice(0, query.lines);
  return { ...rest, entries, hasMore: wanted.length > query.lines };
}
