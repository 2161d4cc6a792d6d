import { PatchFailedError } from "@llmc/errors";
import { asAdded } from "./content.js";
import { pathPairs, plainPairs } from "./file-name.js";
import { nameAfterSign, readGitHeader, type GitHeader } from "./git-header.js";
import { readHunks, type DiffText } from "./hunks.js";
import type { FilePlan, PathPair } from "./plan.js";
import { refuseForm } from "./refusals.js";

export interface Section {
  readonly plan: FilePlan;
  readonly next: number;
}

interface Names {
  readonly old: string | null;
  readonly new: string | null;
  readonly next: number;
}

/** `--- a/x` and `+++ b/x`; one of the two may be missing if a hunk follows. */
export function readUnified(diff: DiffText, at: number): Section | null {
  const names = readNames(diff, at);
  if (names === null) return null;
  const { hunks, next } = readHunks(diff, names.next);
  const kind = names.old === null ? "create" : names.new === null ? "delete" : "modify";
  return { plan: finish({ kind, paths: pathPairs(names.old, names.new), mode: null, hunks }), next };
}

export function readGit(diff: DiffText, at: number): Section {
  const header = readGitHeader(diff.lines, at);
  const names = readNames(diff, header.next) ?? { old: header.oldName, new: header.newName, next: header.next };
  const below = diff.lines[names.next];
  if (below !== undefined) refuseForm(below, header.newName);
  const { hunks, next } = readHunks(diff, names.next);
  return { plan: finish({ ...meaning(header, names), mode: header.mode, hunks }), next };
}

function meaning(header: GitHeader, names: Names): Pick<FilePlan, "kind" | "paths"> {
  const { moved } = header;
  if (moved !== null) return { kind: moved.kind, paths: plainPairs(moved.from, moved.to) };
  if (header.created || names.old === null) {
    return { kind: "create", paths: oneSided(header, null, names.new ?? header.newName) };
  }
  if (header.deleted || names.new === null) return { kind: "delete", paths: oneSided(header, names.old, null) };
  return { kind: "modify", paths: pathPairs(names.old, names.new) };
}

/** Where /dev/null is on one side, the names behind `diff --git` show whether the other has a prefix. */
function oneSided(header: GitHeader, old: string | null, fresh: string | null): readonly PathPair[] {
  const pairs = pathPairs(header.oldName, header.newName);
  if (pairs.some(({ oldPath, newPath }) => oldPath !== newPath)) return pathPairs(old, fresh);
  return pairs.map((pair) => (old === null ? { ...pair, oldPath: null } : { ...pair, newPath: null }));
}

function readNames({ lines }: DiffText, at: number): Names | null {
  const [first, second] = [lines[at]?.text ?? "", lines[at + 1]?.text ?? ""];
  if (first.startsWith("--- ") && second.startsWith("+++ ")) {
    const names = { old: nameAfterSign(lines[at]), new: nameAfterSign(lines[at + 1]), next: at + 2 };
    return names.old === null && names.new === null ? noName() : names;
  }
  if (!(first.startsWith("--- ") || first.startsWith("+++ ")) || !second.startsWith("@@")) return null;
  const name = nameAfterSign(lines[at]) ?? noName();
  return { old: name, new: name, next: at + 1 };
}

function noName(): never {
  throw new PatchFailedError("A part of the diff names /dev/null only", {
    hint: "Write the file's path after --- or +++.",
  });
}

export function finish(plan: FilePlan): FilePlan {
  const { oldPath = null, newPath = null } = plan.paths[0] ?? {};
  const name = newPath ?? oldPath ?? "";
  if (plan.kind === "create") return { ...plan, hunks: asAdded(plan.hunks, name) };
  if (plan.kind === "delete" && plan.hunks.some(({ lines }) => lines.some(({ op }) => op === "+")))
    throw addsToDeleted(name);
  if (plan.kind === "modify" && plan.hunks.length === 0 && plan.mode === null) throw changesNothing(name);
  return plan;
}

function addsToDeleted(name: string): PatchFailedError {
  return new PatchFailedError(`${name} is to be deleted, but the diff adds lines to it`, {
    hint: "Name it after +++ as well if it is to stay.",
  });
}

function changesNothing(name: string): PatchFailedError {
  return new PatchFailedError(`The part of ${name} changes nothing`, {
    hint: "Below `@@`, mark each new line with + and each line that goes with -.",
  });
}
