import type { ListedEntry, ListedFolder, Listing } from "@llmc/te-fs";
import { estimateTokens } from "@llmc/toolkit";
import { line } from "../../../answer/line.js";

/** What an answer may hold. */
export interface ListBudget {
  readonly entries: number;
  readonly tokens: number;
  readonly bytes: number;
}

/** The entries of each folder that are shown, breadth first; a folder that is missing is folded. */
export type Selection = ReadonlyMap<ListedFolder, readonly ListedEntry[]>;

/** Folders that tools fill and nobody reads in. */
const FILLED = /\/(?:node_modules|bower_components|\.git|\.hg|__pycache__|\.?venv|\.tox|\.(?:mypy|pytest|ruff)_cache)$/;
const MANY = 20;

/**
 * The listed folder first, then what lies in its folders, level by level. Where a level does not fit, small folders go
 * before big ones; of a folder below the listed one there is all or nothing. With `foldFilled` there is nothing of those
 * that tools fill, even where there is room.
 */
export function selectFolded({ folders }: Listing, budget: ListBudget, foldFilled: boolean): Selection {
  const left = new Left(budget);
  const shown = new Map<ListedFolder, readonly ListedEntry[]>();
  let level = folders.slice(0, 1);
  for (const top of level) shown.set(top, left.first(top));
  while (level.length > 0) {
    const below = level.flatMap((folder) => (shown.get(folder) ?? []).flatMap(({ contents }) => contents ?? []));
    const open = unfolded(foldFilled ? below.filter((folder) => !isFilled(folder)) : below, left);
    level = below.filter((folder) => open.has(folder));
    for (const folder of level) shown.set(folder, folder.entries);
  }
  return shown;
}

/** The first entries there are: whoever gave a glob wants to see what it matched. */
export function selectFirst({ folders }: Listing, budget: ListBudget): Selection {
  const left = new Left(budget);
  return new Map(folders.map((folder) => [folder, left.first(folder)]));
}

function isFilled({ path, total }: ListedFolder): boolean {
  return total > MANY && FILLED.test(path);
}

/** The small ones first: so the most of them are seen. */
function unfolded(level: readonly ListedFolder[], left: Left): ReadonlySet<ListedFolder> {
  const bySize = level.toSorted((a, b) => a.count - b.count);
  return new Set(bySize.filter((folder) => folder.entries.length === folder.count && left.take(folder)));
}

/** What is left of a budget. */
class Left {
  #entries: number;
  #tokens: number;
  #bytes: number;

  constructor({ entries, tokens, bytes }: ListBudget) {
    this.#entries = entries;
    this.#tokens = tokens;
    this.#bytes = bytes;
  }

  /** As many as there is room for. */
  first(folder: ListedFolder): readonly ListedEntry[] {
    const end = folder.entries.findIndex((entry) => !this.#spend(costOf(entry, folder)));
    return end === -1 ? folder.entries : folder.entries.slice(0, end);
  }

  /** All of it, or nothing. */
  take(folder: ListedFolder): boolean {
    if (folder.count > this.#entries) return false;
    const sum = { entries: 0, tokens: 0, bytes: 0 };
    for (const entry of folder.entries) {
      const { tokens, bytes } = costOf(entry, folder);
      sum.entries += 1;
      sum.tokens += tokens;
      sum.bytes += bytes;
      if (sum.tokens > this.#tokens || sum.bytes > this.#bytes) return false;
    }
    return this.#spend(sum);
  }

  #spend({ entries, tokens, bytes }: ListBudget): boolean {
    if (entries > this.#entries || tokens > this.#tokens || bytes > this.#bytes) return false;
    this.#entries -= entries;
    this.#tokens -= tokens;
    this.#bytes -= bytes;
    return true;
  }
}

function costOf(entry: ListedEntry, { depth }: ListedFolder): ListBudget {
  const text = `${"  ".repeat(depth)}${line({ ...entry, folded: entry.contents?.total })}\n`;
  return { entries: 1, tokens: estimateTokens(text), bytes: Buffer.byteLength(text) };
}
