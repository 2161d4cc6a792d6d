import { toBytes } from "@llmc/names";
import { readDirective } from "./begin-patch.js";
import { FENCE, type DiffText } from "./hunks.js";
import { splitDiff } from "./lines.js";
import { DIFF_LIMITS, type DiffLimits, type FilePlan, type DiffLine } from "./plan.js";
import { hunkWithoutFile, nothingFound, refuseForm, tooMany } from "./refusals.js";
import { readGit, readUnified, type Section } from "./sections.js";

const INDENTED = /^([ \t]+)(?:diff --git |--- \S|\*\*\* (?:Begin Patch|Update File:|Add File:|Delete File:))/;
const MARK = "\ufeff";

/** What a diff asks of each file, in its order. Prose and fences around it are passed over. */
export function parseDiff(text: string, limits: DiffLimits = DIFF_LIMITS): readonly FilePlan[] {
  const bytes = toBytes(text.startsWith(MARK) ? text.slice(1) : text);
  if (bytes.length > limits.maxBytes) throw tooMany("bytes", limits.maxBytes);
  const lines = splitDiff(bytes, limits.maxLines);
  const plans = readFiles(lines, limits);
  if (plans.length > 0) return plans;
  const shifted = outdent(lines);
  const found = shifted === null ? [] : readFiles(shifted, limits);
  if (found.length === 0) throw nothingFound(lines, text);
  return found;
}

function readFiles(lines: readonly DiffLine[], limits: DiffLimits): readonly FilePlan[] {
  const plans: FilePlan[] = [];
  const quota = { limit: limits.maxHunks, used: 0 };
  let fenced = false;
  for (let at = 0; at < lines.length;) {
    const section = readSection({ lines, fenced, quota }, at);
    if (section === null && FENCE.test(lines[at]?.text ?? "")) fenced = !fenced;
    if (section !== null) plans.push(section.plan);
    if (plans.length > limits.maxFiles) throw tooMany("files", limits.maxFiles);
    at = section?.next ?? at + 1;
  }
  return plans;
}

function readSection(diff: DiffText, at: number): Section | null {
  const line = diff.lines[at];
  const text = line?.text ?? "";
  if (line !== undefined) refuseForm(line, null);
  if (text.startsWith("diff --git ")) return readGit(diff, at);
  if (text.startsWith("*** ")) return readDirective(diff, at);
  if (text.startsWith("--- ") || text.startsWith("+++ ")) return readUnified(diff, at);
  if (text.startsWith("@@")) throw hunkWithoutFile(at + 1);
  return null;
}

/** A diff that stands indented in a text: its lines without that indentation. */
function outdent(lines: readonly DiffLine[]): readonly DiffLine[] | null {
  const indent = lines.map(({ text }) => INDENTED.exec(text)?.[1]).find((found) => found !== undefined);
  if (indent === undefined) return null;
  return lines.map((line) => (line.text.startsWith(indent) ? { ...line, text: line.text.slice(indent.length) } : line));
}
