import { PatchFailedError } from "@llmc/errors";
import { textOf } from "@llmc/names";
import { asAdded } from "./content.js";
import { checkName, plainPairs, quotedName } from "./file-name.js";
import { DIRECTIVE, FENCE, readHunks, type DiffText } from "./hunks.js";
import type { DiffLine, Hunk, HunkLine, PathPair } from "./plan.js";
import { finish, type Section } from "./sections.js";

const FILE = /^\*\*\* (Add|Update|Delete) File:(.*)$/s;
const MOVE = /^\*\*\* Move to:(.*)$/s;
const UNKNOWN = /^\*\*\* (?:\w{1,20} File:|(?:Move|Rename|Copy) )/;

/** `*** Update File: x` and its like; null for a line that is none of them. */
export function readDirective(diff: DiffText, at: number): Section | null {
  const text = diff.lines[at]?.text ?? "";
  const [, verb, rest] = FILE.exec(text) ?? [];
  if (verb === undefined || rest === undefined) return refuseUnknown(text);
  const name = nameIn(rest);
  if (verb === "Add") return addFile(diff, at + 1, name);
  if (verb === "Delete") return deleteFile(diff, at + 1, name);
  return updateFile(diff, at + 1, name);
}

function refuseUnknown(text: string): null {
  if (!UNKNOWN.test(text)) return null;
  throw new PatchFailedError(`There is no ${JSON.stringify(textOf(text.slice(0, 60)))} in a patch`, {
    hint: "Use *** Add File: path, *** Update File: path (and *** Move to: path below it) or *** Delete File: path.",
  });
}

function nameIn(rest: string): string {
  const name = rest.trim();
  return name.startsWith('"') ? quotedName(name) : checkName(name);
}

function updateFile(diff: DiffText, at: number, name: string): Section {
  const moved = MOVE.exec(diff.lines[at]?.text ?? "")?.[1];
  const to = moved === undefined ? name : nameIn(moved);
  const { hunks, next } = readHunks(diff, afterNames(diff, moved === undefined ? at : at + 1));
  const kind = to === name ? "modify" : "rename";
  return { plan: finish({ kind, paths: plainPairs(name, to), mode: null, hunks }), next };
}

function deleteFile(diff: DiffText, at: number, name: string): Section {
  const { hunks, next } = readHunks(diff, at);
  return {
    plan: finish({ kind: "delete", paths: plainPath(name, null), mode: null, hunks }),
    next,
  };
}

/** All up to the next directive is the file, with or without the + before each line. */
function addFile(diff: DiffText, at: number, name: string): Section {
  const signed = diff.lines[at]?.text[0] === "+";
  let next = at;
  while (next < diff.lines.length && !(ends(diff, next) || (signed && isHeader(diff.lines, next)))) next += 1;
  const raw = diff.lines.slice(diff.lines[at]?.text.startsWith("@@") ? at + 1 : at, next);
  // A patch that is not ended may go on in prose.
  if (signed && !DIRECTIVE.test(diff.lines[next]?.text ?? "")) cutProse(raw);
  while (raw.at(-1)?.text === "") raw.pop();
  const lines = raw.map(({ text, end }): HunkLine => {
    const op = text.startsWith("+") ? "+" : " ";
    return { op, text: op === "+" ? text.slice(1) : text, end, bare: op === " " };
  });
  const hunk: Hunk = {
    number: 1,
    header: "@@",
    line: null,
    anchors: [],
    section: null,
    atEnd: false,
    lines,
    repaired: false,
  };
  const hunks = lines.length === 0 ? [] : asAdded([hunk], name);
  return { plan: { kind: "create", paths: plainPath(null, name), mode: null, hunks }, next };
}

function ends(diff: DiffText, at: number): boolean {
  const text = diff.lines[at]?.text ?? "";
  return DIRECTIVE.test(text) || (diff.fenced && FENCE.test(text));
}

function isHeader(lines: readonly DiffLine[], at: number): boolean {
  const text = lines[at]?.text ?? "";
  return (
    text.startsWith("diff --git ") || (text.startsWith("--- ") && (lines[at + 1]?.text.startsWith("+++ ") ?? false))
  );
}

function cutProse(raw: DiffLine[]): void {
  const below = raw.findLastIndex(({ text }) => text[0] === "+") + 1;
  if (raw[below]?.text === "") raw.length = below;
}

function plainPath(oldPath: string | null, newPath: string | null): readonly PathPair[] {
  return [{ oldPath, newPath, spelling: "written" }];
}

/** The headers of a unified diff below `*** Update File` say the same once more. */
function afterNames({ lines }: DiffText, at: number): number {
  const both = lines[at]?.text.startsWith("--- ") && lines[at + 1]?.text.startsWith("+++ ");
  return both === true ? at + 2 : at;
}
