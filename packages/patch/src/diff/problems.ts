import { AlreadyExistsError, NotFoundError, PatchFailedError, several, type Advice, type OpsError } from "@llmc/errors";
import { onlyAlikePlace } from "../nearest/alike.js";
import { nearestBlock, renderDifferences, type NearestBlock } from "../nearest/nearest.js";
import type { NotApplied } from "./apply.js";
import { definitionsOver, isDefinition } from "./definitions.js";
import type { FileText } from "./file-text.js";
import { quoted } from "./notes.js";
import type { Lost } from "./placement.js";
import { isElided, oldLines } from "./readings.js";

/** Why one part of a diff cannot be applied. */
export type Problem =
  | { readonly kind: "missing"; readonly path: string; readonly hint: string }
  | { readonly kind: "exists"; readonly path: string; readonly hint: string }
  | { readonly kind: "other"; readonly path: string; readonly text: string; readonly hint: string }
  | { readonly kind: "misses"; readonly path: string; readonly result: NotApplied };

const MOST_SHOWN = 3;
// Of a message that is cut at 600.
const ROOM = 560;
const MOST_DIFFERS = 5;
const LONGEST_LINE = 200;
// Of a hunk, when it is looked for what it is like.
const MOST_LINES = 400;

interface Entry {
  readonly path: string;
  readonly head: string;
  readonly block: NearestBlock | null;
  /** `shown`: what the message has of the block. */
  hint(shown: string): Advice;
  readonly fact: Readonly<Record<string, unknown>>;
}

/** One error for all that is wrong, the first of it in full. There is at least one problem. */
export function errorOf(problems: readonly Problem[]): OpsError {
  const [first, ...others] = problems;
  if (first !== undefined && others.length === 0 && first.kind === "missing")
    return new NotFoundError(first.path, first.hint);
  if (first !== undefined && others.length === 0 && first.kind === "exists")
    return new AlreadyExistsError(first.path, first.hint);
  const count = problems.reduce(
    (sum, problem) => sum + (problem.kind === "misses" ? problem.result.misses.length : 1),
    0,
  );
  const entries = firstEntries(problems);
  const more = count - entries.length;
  const facts = entries.map(({ fact }) => fact);
  const shown = shownOf(entries);
  const text = entries.map(({ head }, nth) => `${head}${shown[nth] === "" ? "" : `:\n${shown[nth] ?? ""}`}`).join("\n");
  return new PatchFailedError(`${text}${more === 0 ? "" : `\n… and ${more} more`}`, {
    hint: several(...hintsOf(entries, shown), "Nothing was changed."),
    details: { failed: facts, failed_count: count },
  });
}

function firstEntries(problems: readonly Problem[]): readonly Entry[] {
  const entries: Entry[] = [];
  for (const problem of problems) {
    const left = MOST_SHOWN - entries.length;
    if (left <= 0) break;
    if (problem.kind === "misses") entries.push(...missEntries(problem, left));
    else entries.push(fileEntry(problem));
  }
  return entries;
}

function fileEntry(problem: Exclude<Problem, { kind: "misses" }>): Entry {
  const said = { missing: "does not exist", exists: "exists already" };
  const text = problem.kind === "other" ? problem.text : said[problem.kind];
  return {
    path: problem.path,
    head: `${problem.path} ${text}`,
    block: null,
    hint: () => problem.hint,
    fact: { path: problem.path, reason: text },
  };
}

function missEntries({ path, result }: Extract<Problem, { kind: "misses" }>, most: number): readonly Entry[] {
  const lines = linesOf(result.file);
  return result.misses.slice(0, most).map((miss) => missEntry(path, miss, result.file, lines));
}

function missEntry(path: string, miss: Lost, file: FileText, lines: () => readonly string[]): Entry {
  const { hunk, reason } = miss;
  const wanted = oldLines(hunk.lines)
    .slice(0, MOST_LINES)
    .map(({ text }) => file.unit.decode(text));
  const block = reason === "nowhere" ? nearestBlock(lines(), wanted, { near: (hunk.line ?? 1) - 1 }) : null;
  const elided = reason === "nowhere" ? wanted.find(isElided) : undefined;
  const isSure = block !== null && onlyAlikePlace(lines(), wanted) === block.line - 1;
  const fact = { path, hunk: hunk.number, header: hunk.header, reason, ...placesOf(miss), ...nearOf(block) };
  const head = `${path}: hunk ${hunk.number} (${hunk.header}) ${saying(miss, file)}${nearly(block)}`;
  const hint = (shown: string): Advice =>
    reason === "nowhere" ? nowhereHint(hunk.number, { block, isSure, elided, shown }) : hintFor(reason);
  return { path, head, block, hint, fact };
}

function saying({ reason, lines }: Lost, file: FileText): string {
  switch (reason) {
    case "nowhere":
      return "fits nowhere";
    case "ambiguous":
      return `fits at lines ${listed(lines)}`;
    case "perhaps applied":
      return `fits at line ${lines[0] ?? 1}, and its result stands at line ${lines[1] ?? 1} already`;
    case "above anchor":
      return `fits at line ${listed(lines)}, but not below the line named behind @@`;
    case "beside anchor":
      return lines.length === 1
        ? `fits at line ${listed(lines)}${ownerAt(file, lines)}, and that is not the place named behind @@`
        : `fits at lines ${listed(lines)}, and none is the place named behind @@`;
    case "unreadable":
      return `would write � at line ${listed(lines)} for bytes that are not text`;
    case "overlap":
      return `changes line ${listed(lines)}, which another hunk changes too`;
    case "no such line":
      return `adds lines behind the end: the file has ${file.count}`;
    case "too repetitive":
      return "was not found in the time it may take: its lines repeat too often";
  }
}

/** What a place belongs to. */
function ownerAt(file: FileText, [line = 1]: readonly number[]): string {
  const [owner] = definitionsOver(file, line - 1);
  return owner === undefined ? "" : `, in ${quoted(file.unit.decode(file.textOf(owner)))}`;
}

function nearly(block: NearestBlock | null): string {
  return block === null ? "" : `; nearest is line ${block.line}`;
}

interface Nearly {
  readonly block: NearestBlock | null;
  /** Set if each line is nearly like a line of the block, and no other place is nearly like the hunk. */
  readonly isSure: boolean;
  readonly elided: string | undefined;
  readonly shown: string;
}

function nowhereHint(hunk: number, { block, isSure, elided, shown }: Nearly): Advice {
  if (elided !== undefined)
    return `Write the lines that ${JSON.stringify(elided.trim().slice(0, 40))} stands for, or make two hunks.`;
  if (block === null) return "Nothing in the file is like it: read the file, or correct the path.";
  // It goes on like this for longer than was compared.
  if (block.differences.length === 0) return `Send hunk ${hunk} in parts.`;
  if (!isSure) return `Read the file around line ${block.line}, and write hunk ${hunk} as it stands where you mean.`;
  if (isCut(shown)) return { id: "copy-place", line: block.line, lines: block.lines, hunk };
  const signs = [shown.includes("→") ? "→ is a tab" : "", shown.includes("·") ? "· a space" : ""].filter(Boolean);
  const names = block.differences.some(({ wanted, kinds }) => kinds.includes("text") && isDefinition(wanted ?? ""));
  const where = names ? "If that is the place, in the hunk" : "In the hunk";
  return `${where} copy the lines marked + from the file in place of yours (${["-", ...signs].join("; ")}).`;
}

/** Whether lines that differ are left out, or one is shown for several. */
function isCut(shown: string): boolean {
  return shown === "" || /(?:^|\n)(?:…$|lines \d+-\d+ \()/.test(shown) || /^[-+] .*…$|^[-+] …/m.test(shown);
}

function hintFor(reason: Exclude<Lost["reason"], "nowhere">): string {
  switch (reason) {
    case "ambiguous":
      return `Name the line in its header (@@ -12 +12 @@), or give it more context.`;
    case "perhaps applied":
      return "Leave it out if it was made before, or name the line in its header (@@ -12 +12 @@).";
    case "above anchor":
      return "Name a line that stands above it behind @@.";
    case "beside anchor":
      return "Behind @@, name a line of the file that stands above the place you mean.";
    case "unreadable":
      return "Keep the lines that show � as context.";
    case "overlap":
      return "Make one hunk of the two.";
    case "no such line":
      return "Correct the line in its header.";
    case "too repetitive":
      return "Name the right line in its header.";
  }
}

function placesOf({ lines }: Lost): object {
  return lines.length === 0 ? {} : { lines };
}

function nearOf(block: NearestBlock | null): object {
  if (block === null) return {};
  const cut = (text: string | null): string | null => (text === null ? null : text.slice(0, LONGEST_LINE));
  const differs = block.differences
    .slice(0, MOST_DIFFERS)
    .map(({ line, wanted, found, kinds }) => ({ line, wanted: cut(wanted), found: cut(found), kinds }));
  return { nearest: block.line, differs };
}

/** What differs at each nearest place, all within the room that the message has. */
function shownOf(entries: readonly Entry[]): readonly string[] {
  const heads = entries.reduce((sum, { head }) => sum + head.length + 2, 0);
  const room = Math.floor((ROOM - heads) / Math.max(1, entries.filter(({ block }) => block !== null).length));
  return entries.map(({ block }) => {
    if (block === null || room < 40) return "";
    return renderDifferences(block.differences, { maxChars: room, maxLineChars: 80 });
  });
}

/** Each hint once, with the files that it is for where there are several. */
function hintsOf(entries: readonly Entry[], shown: readonly string[]): readonly Advice[] {
  const files = new Map<string, { readonly hint: Advice; readonly paths: Set<string> }>();
  for (const [nth, entry] of entries.entries()) {
    const hint = entry.hint(shown[nth] ?? "");
    const key = JSON.stringify(hint);
    const paths = files.get(key)?.paths ?? new Set();
    files.set(key, { hint, paths: paths.add(entry.path) });
  }
  const isOneFile = new Set(entries.map(({ path }) => path)).size === 1;
  if (files.size === 1 || isOneFile) return [...files.values()].map(({ hint }) => hint);
  return [...files.values()].map(({ hint, paths }) => several(`${[...paths].join(", ")}:`, hint));
}

function linesOf(file: FileText): () => readonly string[] {
  let lines: readonly string[] | undefined;
  return () => (lines ??= file.unit.decode(file.units).split("\n").map(withoutReturn));
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function listed(lines: readonly number[]): string {
  const shown = lines.slice(0, 9).map(String);
  const last = shown.pop() ?? "";
  if (lines.length > 9) return `${shown.join(", ")}, ${last} …`;
  return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}
