import type { LinuxOpsContext } from "../../../context/context.js";
import { header } from "../../../answer/header.js";
import { grouped, humanSize, line } from "../../../answer/line.js";
import { walkBounds } from "./bounds.js";
import type { Entry } from "./entry.js";

export interface UsageArgs {
  readonly path: string;
  readonly depth: number;
  readonly max_entries: number;
}

interface UsageResult {
  readonly path: string;
  readonly entries: readonly Entry[];
  readonly total_entries: number;
  readonly disk_bytes?: number | undefined;
  readonly counted_entries?: number | undefined;
  readonly folders_not_entered?: number | undefined;
  readonly folders_not_read?: number | undefined;
}

/** Most lines of the text; the largest entries explain the disk usage. */
const SHOWN = 30;

/** Returns the largest entries within the depth, each with the disk usage of everything below it. */
export async function answerUsage({ path, depth, max_entries }: UsageArgs, context: LinuxOpsContext) {
  const { maxMs, signal } = walkBounds(max_entries, context);
  const usage = await context.files.usage(path, { depth, maxRows: max_entries, maxMs, signal });
  return {
    entries: usage.rows.map(({ path: at, type, bytes, size, mtimeMs, problem }) => ({
      path: at,
      type,
      ...(size === undefined ? {} : { size_bytes: size }),
      disk_bytes: bytes,
      ...(mtimeMs === undefined ? {} : { mtime_iso: new Date(mtimeMs).toISOString() }),
      ...(problem === undefined ? {} : { error: problem }),
    })),
    truncated: usage.rows.length < usage.found || usage.notEntered > 0,
    handle: null,
    path: usage.path,
    total_entries: usage.found,
    disk_bytes: usage.bytes,
    counted_entries: usage.entries,
    ...(usage.notEntered === 0 ? {} : { folders_not_entered: usage.notEntered }),
    ...(usage.unread === 0 ? {} : { folders_not_read: usage.unread }),
  };
}

/** Writes one header line, then size and path of each entry, the largest first. */
export function renderUsage(result: UsageResult, { max_entries }: Pick<UsageArgs, "max_entries">): string {
  const { path, entries, total_entries: total } = result;
  const base = path === "/" ? 1 : path.length + 1;
  const shown = entries.slice(0, Math.min(max_entries, SHOWN));
  const rows = shown.map(({ path: at, type, disk_bytes = 0, error }) => {
    const name = line({ name: at.slice(base), type, problem: error });
    return error === undefined ? `${humanSize(disk_bytes)} ${name}` : name;
  });
  const smaller = total - shown.length;
  const rest = smaller === 0 ? [] : [`…and ${grouped(smaller)} smaller; list a folder itself for more.`];
  return [header(path, notes(result)), ...rows, ...rest].join("\n");
}

function notes({ disk_bytes = 0, counted_entries = 0, folders_not_entered, folders_not_read }: UsageResult): string[] {
  const isWhole = folders_not_entered === undefined;
  const sum = `${humanSize(disk_bytes)} on disk in ${grouped(counted_entries)} entries`;
  return [
    isWhole ? sum : `time was up: at least ${sum}, and the sizes below are too low; name a folder below`,
    ...(folders_not_read === undefined ? [] : [`${grouped(folders_not_read)} not counted: no permission`]),
  ];
}
