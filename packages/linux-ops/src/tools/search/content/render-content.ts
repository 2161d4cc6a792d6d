import { grouped, spell } from "../../../answer/line.js";
import { header } from "../../../answer/header.js";
import type { ContentHit, ContentResult } from "./content-result.js";
import { below, counted, leftOutNote } from "./words.js";

/** One header line; then each file's path once, and below it its lines: `12: a hit`, `11- a line around it`. */
export function renderContent(result: ContentResult, { mode }: { mode: "lines" | "files" | "count" }): string {
  const lines = [header(result.root, notes(result, mode))];
  if (mode === "lines") lines.push(...hitLines(result));
  else for (const { path, count } of result.hits) lines.push(counting(spelled(below(result.root, path)), count));
  const rest = mode === "lines" ? moreLine(result) : undefined;
  if (rest !== undefined) lines.push(rest);
  if (result.hint !== undefined) lines.push(result.hint);
  return lines.join("\n");
}

export function counting(path: string, count: number | undefined): string {
  return count === undefined ? path : `${path}: ${grouped(count)}`;
}

function notes(result: ContentResult, mode: "lines" | "files" | "count"): string[] {
  const { hits, total_hits: total, handle, left_out, engine, ended_by, truncated } = result;
  const told = [summary(result, mode)];
  if (ended_by === "deadline") told.push("time was up");
  if (ended_by === "scan bound") told.push("stopped at search.max_scan_hits");
  const missing = left_out === undefined ? undefined : leftOutNote(left_out, { ways: total === 0 });
  if (missing !== undefined) told.push(missing);
  if (engine !== undefined) told.push(engine);
  if (!truncated || hits.length === (mode === "lines" ? total : result.files)) return told;
  told.push(`more: ${mode === "lines" ? 'file_glob, mode="files", max_results' : "file_glob, max_results"}`);
  told.push(typeof handle === "string" ? `all: ${handle}` : "too many for a handle");
  return told;
}

function summary(
  { root, hits, total_hits: total, files, lower_bound }: ContentResult,
  mode: "lines" | "files" | "count",
): string {
  if (total === 0) return lower_bound === true ? "no hits in what was searched" : "no hits";
  const bound = lower_bound === true ? "at least " : "";
  const cut = (all: number) => (hits.length < all ? `${grouped(hits.length)} of ` : "");
  const inFiles = counted(files, "file");
  if (mode === "files") return `${cut(files)}${bound}${inFiles}`;
  const all = `${bound}${counted(total, "hit")}`;
  if (mode === "count") return `${all} in ${cut(files)}${inFiles}`;
  return `${cut(total)}${all}${hits.some(({ path }) => path === root) ? "" : ` in ${inFiles}`}`;
}

function hitLines({ root, hits }: ContentResult): string[] {
  const lines: string[] = [];
  let path: string | undefined = root;
  let end = Number.POSITIVE_INFINITY;
  for (const hit of hits) {
    const numbered = numberedLines(hit);
    const first = hit.first_line ?? hit.line;
    const last = first + numbered.length - 1;
    if (hit.path !== path && hit.path !== root) lines.push(spelled(below(root, hit.path)));
    else if (first > end + 1 && (first < hit.line || last > (hit.end_line ?? hit.line))) lines.push("--");
    lines.push(...numbered);
    path = hit.path;
    end = last;
  }
  return lines;
}

function numberedLines(hit: ContentHit): string[] {
  const first = hit.first_line ?? hit.line;
  return hit.snippet.split("\n").map((text, index) => {
    const number = first + index;
    if (number < hit.line || number > (hit.end_line ?? hit.line)) return `${number}- ${text}`;
    return `${number}${hit.column === undefined || number > hit.line ? "" : `:${hit.column}`}: ${text}`;
  });
}

function moreLine({ root, more, more_files: files = 0 }: ContentResult): string | undefined {
  if (more === undefined) return undefined;
  const named = more.map(({ path, hits }) => `${spelled(below(root, path))} ${grouped(hits)}`);
  return `…and in ${[...named, ...(files > 0 ? [counted(files, "more file")] : [])].join(", ")}`;
}

/** Not to be taken for a line with its number. */
function spelled(path: string): string {
  return /^(?:\d+(?::\d+)?[:-] |--$|…)/.test(path) ? JSON.stringify(path) : spell(path);
}
