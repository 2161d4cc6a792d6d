import {
  arrange,
  bareHit,
  Best,
  comparePaths,
  definitionIn,
  LIKELY,
  pick,
  READ_LINES,
  snippetsOf,
  type Candidate,
  type ContentQuery,
  type Harvest,
  type HitFile,
  type Pace,
  type Search,
  type Width,
} from "@llmc/te-search";
import { templateOf } from "@llmc/te-system";
import type { LinuxOpsContext } from "../../../context/context.js";
import { LARGEST_BUDGET } from "../../../answer/budget.js";
import { makeHandleId } from "../../../answer/handle.js";
import { createPace } from "../../../answer/pace.js";
import { adviceForNone } from "./advice.js";
import { MAX_LINE_CHARS, type ContentArgs } from "./content-query.js";
import type { ContentHit, ContentResult } from "./content-result.js";
import { hitsHandle } from "./hits-handle.js";
import { isTextCut, isWithContext } from "./render-content.js";
import type { Found, Source } from "./source.js";
import { firstFiles } from "./sort.js";
import { present } from "./words.js";

export interface Answering {
  readonly args: ContentArgs;
  readonly query: ContentQuery;
  readonly search: Search;
  readonly source: Source;
  readonly harvest: Harvest;
  /** Note shown before the hits. */
  readonly note: string | undefined;
  /** A performance.now() value: from then on nothing more is read for the answer. */
  readonly until: number;
}

/** Files that are named with what else they hold. */
const NAMED_FILES = 8;

export async function answerContent(
  found: Found,
  answering: Answering,
  context: LinuxOpsContext,
): Promise<ContentResult> {
  const { args, note } = answering;
  const isLines = args.mode === "lines";
  const keeping = (): Promise<string | null> =>
    found.kept === (isLines ? found.total : 0) ? keepAll(found, answering, context) : Promise.resolve(null);
  // Where there is no room for all in any case, the rest is put away while the answer is made.
  const [hits, kept] = await Promise.all([
    isLines ? shownHits(found, answering, context) : shownFiles(found, args, context),
    isLines && found.total > args.max_results ? keeping() : undefined,
  ]);
  const isCut = hits.length < (isLines ? found.total : found.files.length);
  const { exact, endedBy, leftOut, engine } = found;
  const hint = found.total === 0 ? await adviceForNone({ ...answering, found, signal: context.signal }) : undefined;
  const answer = {
    hits,
    total_hits: found.total,
    truncated: isCut || endedBy !== null,
    handle: kept ?? null,
    root: found.searchRoot.path,
    files: found.files.length,
    ...(exact ? {} : { lower_bound: true as const }),
    ...(endedBy === null ? {} : { ended_by: endedBy }),
    ...(isCut && isLines ? await unshown(found, hits, createPace(context.signal)) : {}),
    ...optional("left_out", present({ ...countsOf(leftOut), ...(leftOut.atLeast ? { at_least: true as const } : {}) })),
    ...(engine.startsWith("ripgrep") ? {} : { engine }),
    ...optional("hint", hint),
    ...optional("note", note),
  };
  const lacks = isCut || isTextCut(answer, args, context.given);
  return lacks && kept === undefined ? { ...answer, handle: await keeping() } : answer;
}

function countsOf({ ignored, hidden, binary, unreadable, changed }: Found["leftOut"]) {
  return { ignored, hidden, binary, unreadable, changed };
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value };
}

async function shownHits(found: Found, answering: Answering, context: LinuxOpsContext): Promise<ContentHit[]> {
  const { args, source, harvest, until } = answering;
  const { max_results: count, sort } = args;
  const ordered = await filesToShow(found, answering, context);
  const candidates = await pick(ordered, {
    count,
    keepOrder: sort !== undefined,
    word: wordOf(args.pattern),
    scoresOf: harvest.scoresOf,
    rankOf: harvest.rankOf,
    templateOf,
    pace: createPace(context.signal),
  });
  const width = widthOf(args);
  const arranged = await arrange(candidates, {
    width,
    maxBytes: LARGEST_BUDGET.bytes,
    read: (wanted) => source.read(wanted, { ...width, until, maxLineChars: MAX_LINE_CHARS }, found.searchRoot),
  });
  let more = count - arranged.reduce((sum, { hits }) => sum + hits.size, 0);
  const files = arranged.map((file) => {
    const snippets = snippetsOf(file, more);
    more -= snippets.length - file.hits.size;
    return { path: file.file.path, snippets };
  });
  const isAll = files.reduce((sum, { snippets }) => sum + snippets.length, 0) === found.total;
  if (isAll && sort === undefined) files.sort(byDefinitionAndPath(candidates));
  const hits = files.flatMap(({ snippets }) => snippets);
  return [...(await withDefinition(hits, found, answering, context)), ...hits.slice(1)];
}

/** Returns the first hit; a single hit gets the whole definition that begins in its line. */
async function withDefinition(
  [hit]: readonly ContentHit[],
  { files: [file], total, searchRoot }: Found,
  { source, harvest, until }: Answering,
  { given }: LinuxOpsContext,
): Promise<readonly ContentHit[]> {
  if (hit === undefined || file === undefined || total > 1 || isWithContext(given))
    return hit === undefined ? [] : [hit];
  const [score = 0] = harvest.scoresOf(file);
  if (score < LIKELY || hit.column !== undefined) return [hit];
  const around = { before: 0, after: READ_LINES - 1, maxLineChars: MAX_LINE_CHARS, until };
  const lines = await source.read(new Map([[file, file.hits]]), around, searchRoot);
  return [{ ...hit, ...definitionIn(lines.get(file) ?? new Map(), hit.line) }];
}

/** In the caller's order, if there is one: then those of which hits were only counted are searched again. */
async function filesToShow(
  found: Found,
  { args, query, source, until }: Answering,
  context: LinuxOpsContext,
): Promise<readonly HitFile[]> {
  const { max_results: count, sort } = args;
  const isWhole = found.kept === found.total;
  // Of a file whose hits were only counted there is nothing to show: it must not take the place of one that has some.
  const shownAnyway = isWhole ? found.files : found.files.filter(({ hits }) => hits.length > 0);
  if (sort === undefined) return shownAnyway;
  if (isWhole || sort === "none") return await firstFiles({ ...found, files: shownAnyway }, sort, count, context);
  const first = await firstFiles(found, sort, count, context);
  const linesOfEach = MORE_FOR_IMPORTS + turnsFor(first, count);
  const lacking = first.filter(({ hits, count: all }) => hits.length < Math.min(all, linesOfEach));
  if (lacking.length === 0) return first;
  const again = await source.find(
    { ...query, among: { ways: lacking.map(({ way }) => way), linesOfEach } },
    { signal: context.signal, deadlineMs: Math.max(1, until - performance.now()) },
  );
  const byWay = new Map(again.files.map(({ way, hits }) => [way, hits]));
  return first.flatMap((file) => {
    const hits = byWay.get(file.way) ?? file.hits;
    return hits.length === 0 ? [] : [{ ...file, hits }];
  });
}

/** They are shown last: somewhat more is looked at than shown. */
const MORE_FOR_IMPORTS = 10;

/** How many of each file are shown, where they take turns. */
function turnsFor(files: readonly HitFile[], wanted: number): number {
  let turns = 0;
  for (let shown = 0; shown < wanted;) {
    const more = files.filter(({ count }) => count > turns).length;
    if (more === 0) break;
    shown += more;
    turns += 1;
  }
  return turns;
}

/** Where all is shown the order of paths is easiest to follow; files that define the thing still come first. */
function byDefinitionAndPath(candidates: readonly Candidate[]): (a: { path: string }, b: { path: string }) => number {
  const defining = [...new Set(candidates.filter(({ isDefinition }) => isDefinition).map(({ file }) => file.path))];
  const place = (path: string): number => (defining.includes(path) ? defining.indexOf(path) : defining.length);
  return (a, b) => place(a.path) - place(b.path) || comparePaths(a.path, b.path);
}

async function shownFiles(
  found: Found,
  { mode, sort, max_results }: ContentArgs,
  context: LinuxOpsContext,
): Promise<ContentHit[]> {
  const by = sort ?? (mode === "count" ? "count" : "path");
  return (await firstFiles(found, by, max_results, context)).map((file) => fileHit(file, mode));
}

function fileHit({ path, count }: HitFile, mode: ContentArgs["mode"]): ContentHit {
  return { path, line: 0, snippet: "", ...(mode === "count" ? { count } : {}) };
}

function widthOf({ before, after, context_lines: lines }: ContentArgs): Width {
  if (before !== undefined || after !== undefined) return { before: before ?? 0, after: after ?? 0 };
  return { before: lines, after: lines };
}

function wordOf(pattern: string): string | undefined {
  return /^(?:\\b)?([\p{L}_$][\p{L}\p{N}_$]*)(?:\\b)?$/u.exec(pattern)?.[1];
}

/** Where the rest is: by file, those with the most of it first. */
async function unshown(
  { files }: Found,
  shown: readonly ContentHit[],
  pace: Pace,
): Promise<Pick<ContentResult, "more" | "more_files">> {
  const here = new Map<string, number>();
  for (const { path } of shown) here.set(path, (here.get(path) ?? 0) + 1);
  let others = 0;
  const most = new Best<{ path: string; hits: number }>(NAMED_FILES, byHitsAndPath);
  for (const { path, count } of files) {
    if (pace.due()) await pace.rest();
    const hits = count - (here.get(path) ?? 0);
    if (hits > 0) others += 1;
    if (hits > 0 && hits >= (most.last?.hits ?? 0)) most.offer({ path, hits });
  }
  const more = most.items;
  return { more, ...(others > more.length ? { more_files: others - more.length } : {}) };
}

function byHitsAndPath(a: { path: string; hits: number }, b: { path: string; hits: number }): number {
  return b.hits - a.hits || comparePaths(a.path, b.path);
}

function keepAll(
  found: Found,
  { args, harvest }: Pick<Answering, "args" | "harvest">,
  context: LinuxOpsContext,
): Promise<string | null> {
  const { path } = found.searchRoot;
  const meta = { kind: "search_hits", path, root: path, pattern: args.pattern.slice(0, 200) };
  const payload = args.mode === "lines" ? harvest.payloadOf(found.files) : undefined;
  if (payload !== undefined) return makeHandleId(context, { type: "search_hits", meta, payload });
  return hitsHandle(allHits(found.files, args.mode), meta, context);
}

function* allHits(files: readonly HitFile[], mode: ContentArgs["mode"]): Generator<string> {
  for (const file of files) {
    if (mode !== "lines") yield JSON.stringify(fileHit(file, mode));
    else for (const hit of file.hits) yield JSON.stringify(bareHit(file.path, hit));
  }
}
