import { foldLines, type Fold, type FoldedLine } from "@llmc/te-system";
import { budgetFor, fitting, Spending, type Budget } from "../../../answer/budget.js";
import { shownHandle } from "../../../answer/handle.js";
import { header } from "../../../answer/header.js";
import { grouped, spell } from "../../../answer/line.js";
import type { ContentHit, ContentResult } from "./content-result.js";
import { counted, leftOutNote, shownPaths, type AskedRoot } from "./words.js";

type Mode = "lines" | "files" | "count";

export interface TextArgs extends AskedRoot {
  readonly mode: Mode;
  readonly max_results: number;
}

export const DEFAULT_HITS = 100;
/** Most hits that get lines around them without being asked. */
const FEW = 5;
/** Tokens and bytes of the budget that the header and the last line need. */
const KEPT_BACK = 300;
/** Most files named in the last line. */
const NAMED_FILES = 8;

/** Writes one header line, then each path once and its lines below it: `12: a hit`, `11- a line around it`. */
export function renderContent(result: ContentResult, args: TextArgs, given: ReadonlySet<string>): string {
  const told = args.mode === "lines" ? linesOf(result, args, given) : filesOf(result, args);
  const { note, hint } = result;
  const place = shownPaths(result.root, args).head.map((each) => (each.startsWith("/") ? each : shownHandle(each)));
  const [head = "", ...rest] = [...place, ...notes(result, args.mode, told)];
  const lines = [header(head, rest), ...(note === undefined ? [] : [note]), ...told.lines];
  const more = args.mode === "lines" ? moreLine(result, args, told) : undefined;
  if (more !== undefined) lines.push(more);
  if (hint !== undefined) lines.push(hint);
  return lines.join("\n");
}

/** Tells whether the text shows fewer hits than the payload. */
export function isTextCut(result: ContentResult, args: TextArgs, given: ReadonlySet<string>): boolean {
  const { shown } = args.mode === "lines" ? linesOf(result, args, given) : filesOf(result, args);
  return shown < result.hits.length;
}

/** Tells whether the caller chose how many lines stand around hits, 0 too. */
export function isWithContext(given: ReadonlySet<string>): boolean {
  return ["context_lines", "before", "after"].some((name) => given.has(name));
}

/** The hits as text, within the budget. */
interface Told {
  readonly lines: readonly string[];
  /** Hits with a line, or counted in one; files in the other modes. */
  readonly shown: number;
  readonly unshown: readonly ContentHit[];
  /** Reason why the text has fewer lines around hits than the payload. */
  readonly less?: string | undefined;
}

function filesOf({ root, hits }: ContentResult, args: TextArgs): Told {
  const paths = shownPaths(root, args);
  const line = ({ path, count }: ContentHit): string => counting(spelled(paths.of(path)), count);
  const shown = fitting(hits, line, roomFor(args.max_results));
  return { lines: shown.map(line), shown: shown.length, unshown: [] };
}

function counting(path: string, count: number | undefined): string {
  return count === undefined ? path : `${path}: ${grouped(count)}`;
}

function roomFor(max_results: number): Pick<Budget, "tokens" | "bytes"> {
  const { tokens, bytes } = budgetFor(max_results, DEFAULT_HITS);
  return { tokens: tokens - KEPT_BACK, bytes: bytes - KEPT_BACK };
}

function linesOf({ root, hits }: ContentResult, args: TextArgs, given: ReadonlySet<string>): Told {
  const paths = shownPaths(root, args);
  const isAsked = isWithContext(given);
  const { hidden, groups } = isAsked ? NO_FOLD : foldLines(hits, lineOf);
  const left = new Spending(roomFor(args.max_results));
  const blocks: Block[] = [];
  let path: string | undefined = paths.head.length > 0 ? root : undefined;
  for (const hit of hits) {
    if (hidden.has(hit)) continue;
    const name = hit.path === path ? [] : [spelled(paths.of(hit.path))];
    const block = { hit, name, folded: groups.get(hit) ?? [], isWide: false };
    // The first hit is always shown.
    if (!left.takes([...name, ...ownLines(block)]) && blocks.length > 0) break;
    blocks.push(block);
    path = hit.path;
  }
  const wide = isAsked || hits.length <= FEW ? widen(blocks, left) : 0;
  const shown = new Set(blocks.flatMap(({ hit, folded }) => [hit, ...folded]));
  return {
    lines: inLines(blocks),
    shown: shown.size,
    unshown: hits.filter((hit) => !shown.has(hit)),
    less: lessNote(hits, { isAsked, wide, blocks: blocks.length, folds: groups.size }),
  };
}

const lineOf = ({ path, snippet, line, first_line = line }: ContentHit): FoldedLine => ({
  path,
  text: snippet.split("\n")[line - first_line] ?? "",
});

const NO_FOLD: Fold<ContentHit> = { hidden: new Set(), groups: new Map() };

interface Block {
  readonly hit: ContentHit;
  /** The path, if it differs from the previous block's. */
  readonly name: readonly string[];
  readonly folded: readonly ContentHit[];
  isWide: boolean;
}

/** Adds the lines around hits, in order, while there is room. Returns the number of hits that got them. */
function widen(blocks: readonly Block[], left: Spending): number {
  for (const [index, block] of blocks.entries()) {
    const own = new Set(ownLines(block));
    if (!left.takes(wideLines(block.hit).filter((line) => !own.has(line)))) return index;
    block.isWide = true;
  }
  return blocks.length;
}

interface Shape {
  readonly isAsked: boolean;
  readonly wide: number;
  readonly blocks: number;
  readonly folds: number;
}

function lessNote(hits: readonly ContentHit[], { isAsked, wide, blocks, folds }: Shape): string | undefined {
  if (folds > 0) return "similar lines folded; context_lines=0 shows each";
  if (wide === blocks || !hits.some(hasMore)) return undefined;
  if (isAsked || wide > 0) return `lines around the first ${counted(wide, "hit")} only`;
  return "context_lines adds the lines around";
}

function hasMore({ snippet, line, end_line = line }: ContentHit): boolean {
  return snippet.split("\n").length > end_line - line + 1;
}

function inLines(blocks: readonly Block[]): string[] {
  const lines: string[] = [];
  let end = Number.POSITIVE_INFINITY;
  for (const block of blocks) {
    const { hit, name, isWide } = block;
    const numbered = isWide ? wideLines(hit) : ownLines(block);
    const first = isWide ? (hit.first_line ?? hit.line) : hit.line;
    if (name.length > 0) lines.push(...name);
    else if (isWide && first > end + 1 && numbered.length > 1 && hasMore(hit)) lines.push("--");
    lines.push(...numbered);
    end = first + numbered.length - 1;
  }
  return lines;
}

function ownLines({ hit, folded }: Pick<Block, "hit" | "folded">): string[] {
  const { line, end_line = line } = hit;
  const own = numberedLines(hit).slice(line - (hit.first_line ?? line), end_line - (hit.first_line ?? line) + 1);
  const last = folded.at(-1);
  return last === undefined ? own : [...own, `… ${grouped(folded.length)} more like it, up to line ${last.line}`];
}

/** Returns the hit with the lines around it, or a definition with the decorators and comments right above it. */
function wideLines(hit: ContentHit): string[] {
  const { line, definition, definition_end: end } = hit;
  if (definition === undefined) return numberedLines(hit);
  const above = numberedLines(hit).slice(0, line - (hit.first_line ?? line));
  const before = above.slice(above.findLastIndex((each) => EMPTY_LINE.test(each)) + 1);
  const texts = definition.split("\n").map((text, index) => `${line + index}${index === 0 ? ":" : "-"} ${text}`);
  const next = line + texts.length;
  if (end !== undefined && end < next) return [...before, ...texts];
  return [...before, ...texts, `… goes on: ${spell(hit.path)}#L${next}${end === undefined ? "" : `-L${end}`}`];
}

const EMPTY_LINE = /^\d+- *$/;

function numberedLines(hit: ContentHit): string[] {
  const first = hit.first_line ?? hit.line;
  return hit.snippet.split("\n").map((text, index) => {
    const number = first + index;
    if (number < hit.line || number > (hit.end_line ?? hit.line)) return `${number}- ${text}`;
    return `${number}${hit.column === undefined || number > hit.line ? "" : `:${hit.column}`}: ${text}`;
  });
}

function notes(result: ContentResult, mode: Mode, { shown, less }: Told): string[] {
  const { total_hits: total, handle, left_out, engine, ended_by } = result;
  const told = [summary(result, mode, shown)];
  if (ended_by === "deadline") told.push("time was up");
  if (ended_by === "scan bound") told.push("stopped at search.max_scan_hits");
  if (less !== undefined) told.push(less);
  const missing = left_out === undefined ? undefined : leftOutNote(left_out, { ways: total === 0 });
  if (missing !== undefined) told.push(missing);
  if (engine !== undefined) told.push(engine);
  if (shown === (mode === "lines" ? total : result.files)) return told;
  told.push(`more: ${mode === "lines" ? 'file_glob, mode="files", max_results' : "file_glob, max_results"}`);
  told.push(typeof handle === "string" ? `all: ${shownHandle(handle)}` : "too many for a handle");
  return told;
}

function summary(
  { root, hits, total_hits: total, files, lower_bound }: ContentResult,
  mode: Mode,
  shown: number,
): string {
  if (total === 0) return lower_bound === true ? "no hits in what was searched" : "no hits";
  const bound = lower_bound === true ? "at least " : "";
  const cut = (all: number) => (shown < all ? `${grouped(shown)} of ` : "");
  const inFiles = counted(files, "file");
  if (mode === "files") return `${cut(files)}${bound}${inFiles}`;
  const all = `${bound}${counted(total, "hit")}`;
  if (mode === "count") return `${all} in ${cut(files)}${inFiles}`;
  return `${cut(total)}${all}${hits.some(({ path }) => path === root) ? "" : ` in ${inFiles}`}`;
}

/** Names the files with the hits that are not shown, those with the most first. */
function moreLine(result: ContentResult, args: TextArgs, { unshown }: Told): string | undefined {
  const { root, more = [], more_files: files = 0 } = result;
  const paths = shownPaths(root, args);
  const hits = new Map(more.map((each) => [each.path, each.hits]));
  for (const { path } of unshown) hits.set(path, (hits.get(path) ?? 0) + 1);
  const most = [...hits].toSorted((a, b) => b[1] - a[1]);
  if (most.length === 0) return undefined;
  const named = most.slice(0, NAMED_FILES).map(([path, count]) => `${spelled(paths.of(path))} ${grouped(count)}`);
  const others = files + most.length - named.length;
  return `…and in ${[...named, ...(others > 0 ? [counted(others, "more file")] : [])].join(", ")}`;
}

/** Quotes a path that looks like a numbered line. */
function spelled(path: string): string {
  return /^(?:\d+(?::\d+)?[:-] |--$|…)/.test(path) ? JSON.stringify(path) : spell(path);
}
