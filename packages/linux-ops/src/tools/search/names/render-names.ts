import { budgetFor, fitting } from "../../../answer/budget.js";
import { shownHandle } from "../../../answer/handle.js";
import { header } from "../../../answer/header.js";
import { grouped, humanSize, spell } from "../../../answer/line.js";
import { leftOutNote, shownPaths, type AskedRoot, type ShownPaths } from "../content/words.js";
import type { NamesResult } from "./names-result.js";

export interface TextArgs extends AskedRoot {
  readonly max_results: number;
}

type NameHit = NamesResult["hits"][number];

export const DEFAULT_NAMES = 200;

/** One header line, then one path a line, the best first; a folder ends in a slash. */
export function renderNames(result: NamesResult, args: TextArgs): string {
  const shown = shownHits(result, args);
  const paths = shownPaths(result.root, args);
  const [head = "", ...rest] = [...paths.head, ...notes(result, shown.length)];
  const lines = shown.map((hit) => hitLine(paths, hit));
  const hint = result.hint === undefined ? [] : [result.hint];
  return [header(head, rest), ...lines, ...hint].join("\n");
}

/** Tells whether the text shows fewer hits than the payload. */
export function isTextCut(result: Pick<NamesResult, "root" | "hits">, args: TextArgs): boolean {
  return shownHits(result, args).length < result.hits.length;
}

function shownHits({ root, hits }: Pick<NamesResult, "root" | "hits">, args: TextArgs): readonly NameHit[] {
  const paths = shownPaths(root, args);
  return fitting(hits, (hit) => hitLine(paths, hit), budgetFor(args.max_results, DEFAULT_NAMES));
}

/** The path as it stands in the text. */
function hitLine(paths: ShownPaths, { path, type, size_bytes, mtime_iso }: NameHit): string {
  const parts = [spell(paths.of(path)) + (type === "dir" ? "/" : "")];
  if (size_bytes !== undefined) parts.push(humanSize(size_bytes));
  // With its zone: modified_within takes a time without one for a local one.
  if (mtime_iso !== undefined) parts.push(`${mtime_iso.slice(0, 16)}Z`);
  return parts.join(" ");
}

const AS: Readonly<Record<string, string>> = {
  text: "nothing as a glob; as plain text",
  case: "nothing in this case; in any case",
  words: "nothing as written; by its words",
  regex: "nothing as a name or glob; as a regex",
};

function notes(result: NamesResult, shown: number): string[] {
  const { total_hits: total, handle, left_out, matched_as, lower_bound, ended_by } = result;
  const all = `${lower_bound === true ? "at least " : ""}${grouped(total)}`;
  const told = [total === 0 ? "no match" : `${shown < total ? `${grouped(shown)} of ` : ""}${all} found`];
  if (matched_as !== undefined) told.push(AS[matched_as] ?? matched_as);
  if (ended_by !== undefined) told.push("time was up");
  const missing = left_out === undefined ? undefined : leftOutNote(left_out, { ways: total === 0 });
  if (missing !== undefined) told.push(missing);
  if (shown === total) return told;
  told.push("more: file_glob, max_results");
  told.push(typeof handle === "string" ? `all: ${shownHandle(handle)}` : "too many for a handle");
  return told;
}
