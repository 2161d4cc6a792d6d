import { InvalidArgumentError } from "@llmc/errors";
import type { NamesQuery } from "@llmc/te-search";
import type { LinuxOpsContext } from "../../../context/context.js";
import { rootOf } from "../root.js";
import { bytesOf, sinceWhen } from "./amounts.js";

/** The arguments of linux.search_files. */
export interface NamesArgs {
  readonly root: string;
  readonly path?: string | undefined;
  readonly pattern: string;
  readonly file_glob?: string | null | undefined;
  readonly max_results: number;
  readonly regex: boolean;
  readonly type?: "file" | "dir" | undefined;
  readonly modified_within?: string | undefined;
  readonly min_size?: number | string | undefined;
  readonly max_size?: number | string | undefined;
  readonly respect_gitignore: boolean;
  readonly include_hidden: boolean;
}

/** Enough for the largest answer, whatever handles may hold. */
const LEAST_KEPT_BYTES = 2 * 1024 * 1024;
const MOST_KEPT = 100_000;

export function namesQuery(args: NamesArgs, { mcp, given }: LinuxOpsContext): NamesQuery {
  const { modified_within: within } = args;
  const { minSize, maxSize } = sizesOf(args);
  return {
    root: rootOf(args, given),
    pattern: args.pattern,
    regex: args.regex,
    glob: typeof args.file_glob === "string" ? [args.file_glob] : undefined,
    type: args.type,
    modifiedSince: within === undefined ? undefined : sinceWhen(within, Date.now()),
    minSize,
    maxSize,
    respectIgnore: args.respect_gitignore,
    includeHidden: args.include_hidden,
    maxKept: MOST_KEPT,
    maxKeptBytes: Math.max(mcp.handles.max_payload_bytes, LEAST_KEPT_BYTES),
  };
}

function sizesOf({ min_size, max_size, type }: NamesArgs): Pick<NamesQuery, "minSize" | "maxSize"> {
  const minSize = min_size === undefined ? undefined : bytesOf("min_size", min_size);
  const maxSize = max_size === undefined ? undefined : bytesOf("max_size", max_size);
  if (type === "dir" && (minSize ?? maxSize) !== undefined)
    throw new InvalidArgumentError("linux.search_files: only files have a size", "Leave type out, or the sizes.");
  if (minSize !== undefined && maxSize !== undefined && minSize > maxSize)
    throw new InvalidArgumentError("linux.search_files: min_size is larger than max_size", "Swap them.");
  return { minSize, maxSize };
}
