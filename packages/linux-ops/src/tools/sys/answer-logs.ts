import { fold, plainText, type LogEntry, type LogPage, type Template } from "@llmc/te-system";
import { shownHandle } from "../../answer/handle.js";
import { header } from "../../answer/header.js";
import type { LogsResult } from "./logs-result.js";

const MAX_MESSAGE = 600;
/** About 4,000 tokens: the rest is behind the handle. */
const MAX_CHARS = 14_000;
const MAX_TEMPLATES = 60;

export interface ToldLogs {
  readonly answer: Omit<LogsResult, "handle">;
  /** All lines, where the answer leaves something out. */
  readonly full: string | null;
}

export function answerLogs({ entries, cursor, from, hasMore, notes }: LogPage): ToldLogs {
  const time = clock(entries);
  const { verbatim, templates } = fold(entries);
  const shown = newest(verbatim.map((entry) => lineOf(entry, time)));
  const told = templates.slice(0, MAX_TEMPLATES);
  const missing = verbatim.length - shown.length;
  const rest = templates.length - told.length;
  const note = [
    ...notes,
    ...(missing > 0 ? [`${missing} older lines are behind the handle only`] : []),
    ...(rest > 0 ? [`${rest} more templates are behind the handle only`] : []),
  ].join("; ");
  const isWhole =
    templates.length === 0 && missing === 0 && verbatim.every(({ message }) => message.length <= MAX_MESSAGE);
  return {
    answer: {
      lines: shown,
      templates: told.map((template) => templateRow(template, time)),
      cursor,
      truncated: hasMore,
      from,
      total: entries.length,
      ...(note === "" ? {} : { note }),
    },
    full: isWhole ? null : `${entries.map((entry) => fullLine(entry)).join("\n")}\n`,
  };
}

export function renderLogs({ lines, templates, truncated, handle, from, total, note }: LogsResult): string {
  const notes = [
    `${total} line${total === 1 ? "" : "s"}`,
    ...(truncated ? ["there are more: lines, or another since"] : []),
    ...(handle === null ? [] : [`all: ${shownHandle(handle)}`]),
    ...(note === undefined ? [] : [note]),
  ];
  const folded = templates.map(
    ({ text, count, first, last, example }) =>
      `${count}× ${text} (${first ?? "?"} … ${last ?? "?"})${example === undefined ? "" : `\n   last: ${example}`}`,
  );
  return [header(from, notes), ...folded, ...lines].join("\n");
}

/** The last lines that differ in more than numbers, as a unit's details have them. */
export function lastDistinct(
  entries: readonly LogEntry[],
  templateOf: (message: string) => string,
  count: number,
): string[] {
  const time = clock(entries);
  const seen = new Map<string, string>();
  for (const entry of entries.toReversed()) {
    const key = templateOf(entry.message);
    if (!seen.has(key)) seen.set(key, lineOf(entry, time));
    if (seen.size === count) break;
  }
  return [...seen.values()].toReversed();
}

type Clock = (atMs: number | null) => string;

/** The day is told only where there are several. */
function clock(entries: readonly LogEntry[]): Clock {
  const days = new Set(entries.flatMap(({ atMs }) => (atMs === null ? [] : [new Date(atMs).toDateString()])));
  return (atMs) => {
    if (atMs === null) return "?";
    const [date = "", time = ""] = localTime(atMs).split(" ");
    return days.size > 1 ? `${date.slice(5)} ${time}` : time;
  };
}

/** "2026-01-31 14:05:00" in the machine's own zone, as its other tools have it. */
function localTime(atMs: number): string {
  const at = new Date(atMs);
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

function lineOf(entry: LogEntry, time: Clock): string {
  const { message } = entry;
  const cut =
    message.length > MAX_MESSAGE
      ? `${message.slice(0, MAX_MESSAGE)}…[+${message.length - MAX_MESSAGE} chars]`
      : message;
  return plainText(`${time(entry.atMs)} ${sourceOf(entry)}: ${cut}`);
}

function fullLine(entry: LogEntry): string {
  return plainText(`${entry.atMs === null ? "?" : localTime(entry.atMs)} ${sourceOf(entry)}: ${entry.message}`);
}

function sourceOf({ source, pid }: LogEntry): string {
  return pid === null ? source : `${source}[${pid}]`;
}

function templateRow(
  { text, source, count, firstMs, lastMs, example }: Template,
  time: Clock,
): LogsResult["templates"][number] {
  return {
    text: plainText(`${source}: ${text.slice(0, MAX_MESSAGE)}`),
    count,
    first: firstMs === null ? null : time(firstMs),
    last: lastMs === null ? null : time(lastMs),
    ...(example === null ? {} : { example: lineOf(example, time) }),
  };
}

/** The end of a log is what is asked for. */
function newest(lines: readonly string[]): string[] {
  let chars = 0;
  const from = lines.findLastIndex((line) => (chars += line.length + 1) > MAX_CHARS);
  return lines.slice(from + 1);
}
