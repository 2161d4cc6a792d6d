import { InvalidArgumentError } from "@llmc/errors";
import type { ContentQuery } from "@llmc/te-search";
import type { LinuxOpsContext } from "../../../context/context.js";
import { rootOf } from "../root.js";

/** The arguments of linux.search_content. */
export interface ContentArgs {
  readonly root: string;
  readonly path?: string | undefined;
  readonly pattern: string;
  readonly file_glob?: string | null | undefined;
  readonly literal: boolean;
  readonly ignore_case: boolean;
  readonly context_lines: number;
  readonly max_results: number;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly type?: string | undefined;
  readonly multiline?: boolean | undefined;
  readonly respect_gitignore: boolean;
  readonly include_hidden: boolean;
  readonly sort?: "path" | "mtime" | "none" | undefined;
  readonly mode: "lines" | "files" | "count";
}

/** Of a line, in what is shown and in what is kept behind a handle. */
export const MAX_LINE_CHARS = 240;
/** Enough for the largest answer, whatever handles may hold. */
export const LEAST_KEPT_BYTES = 2 * 1024 * 1024;
/** Of each second that a reading tool has, for the search, and for the search and reading lines around hits. */
const SEARCHING_MS = 700;
const READING_MS = 900;

export function contentQuery(args: ContentArgs, { mcp, given }: LinuxOpsContext): ContentQuery {
  return {
    root: rootOf(args, given),
    pattern: args.pattern,
    literal: args.literal,
    ignoreCase: args.ignore_case,
    glob: typeof args.file_glob === "string" ? [args.file_glob] : undefined,
    type: args.type,
    multiline: args.multiline ?? spansLines(args),
    respectIgnore: args.respect_gitignore,
    includeHidden: args.include_hidden,
    mode: args.mode,
    maxScanHits: mcp.linux_ops.search.max_scan_hits,
    maxKeptBytes: Math.max(mcp.handles.max_payload_bytes, LEAST_KEPT_BYTES),
    maxLineChars: MAX_LINE_CHARS,
  };
}

/** Milliseconds for the search itself. */
export function searchTime({ mcp }: LinuxOpsContext): number {
  return mcp.tools.read_timeout * SEARCHING_MS;
}

/** The performance.now() value at which an answer has to do with what it has. */
export function readingEnds({ mcp }: LinuxOpsContext): number {
  return performance.now() + mcp.tools.read_timeout * READING_MS;
}

/** Who writes a newline into the pattern means one. */
function spansLines({ pattern, literal }: ContentArgs): boolean {
  return pattern.includes("\n") || (!literal && /(?:^|[^\\])(?:\\\\)*\\n/.test(pattern));
}

export function checkContentArgs(args: ContentArgs, given: ReadonlySet<string>): void {
  const around = ["before", "after"].find((name) => given.has(name));
  if (around !== undefined && given.has("context_lines"))
    throw new InvalidArgumentError(
      `linux.search_content: ${around} and context_lines exclude each other`,
      "Leave out context_lines.",
    );
  const ofLines = ["before", "after", "context_lines"].find((name) => given.has(name));
  if (args.mode !== "lines" && ofLines !== undefined)
    throw new InvalidArgumentError(
      `linux.search_content: ${ofLines} does not go with mode "${args.mode}"`,
      `Leave out ${ofLines}.`,
    );
}
