import { grouped, humanSize, spell } from "../../../answer/line.js";
import { header } from "../../../answer/header.js";
import type { NamesResult } from "./names-result.js";
import { below, leftOutNote } from "../content/words.js";

/** One header line, then one path a line, the best first; a folder ends in a slash. */
export function renderNames(result: NamesResult): string {
  const lines = result.hits.map((hit) => hitLine(result.root, hit));
  const hint = result.hint === undefined ? [] : [result.hint];
  return [header(result.root, notes(result)), ...lines, ...hint].join("\n");
}

/** The path as it stands in the text. */
export function hitLine(root: string, { path, type, size_bytes, mtime_iso }: NamesResult["hits"][number]): string {
  const parts = [spell(below(root, path)) + (type === "dir" ? "/" : "")];
  if (size_bytes !== undefined) parts.push(humanSize(size_bytes));
  // With its zone: modified_within takes a time without one for a local one.
  if (mtime_iso !== undefined) parts.push(`${mtime_iso.slice(0, 16)}Z`);
  return parts.join(" ");
}

const AS: Readonly<Record<string, string>> = {
  text: "nothing as a glob; as plain text",
  case: "nothing in this case; in any case",
  words: "nothing as written; by its words",
};

function notes(result: NamesResult): string[] {
  const { hits, total_hits: total, handle, left_out, matched_as, lower_bound, ended_by, truncated } = result;
  const all = `${lower_bound === true ? "at least " : ""}${grouped(total)}`;
  const told = [total === 0 ? "no match" : `${hits.length < total ? `${grouped(hits.length)} of ` : ""}${all} found`];
  if (matched_as !== undefined) told.push(AS[matched_as] ?? matched_as);
  if (ended_by !== undefined) told.push("time was up");
  const missing = left_out === undefined ? undefined : leftOutNote(left_out, { ways: total === 0 });
  if (missing !== undefined) told.push(missing);
  if (!truncated || hits.length === total) return told;
  told.push("more: file_glob, max_results", typeof handle === "string" ? `all: ${handle}` : "too many for a handle");
  return told;
}
