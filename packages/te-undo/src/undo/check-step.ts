import type { Work, ContentMark } from "@llmc/te-path";
import { type Bytes, folderOf, displayPath } from "@llmc/names";
import type { ProjectedFiles, Sight } from "./projected-files.js";
import type { IsWho } from "./identity.js";
import type { Content, Held } from "../store/held-content.js";
import { changed, Conflict, occupied } from "./conflict.js";
import type { CopiedTree, UndoStep, Who } from "../store/steps.js";

/** Whether a step is there to be taken back, or why there is nothing to take back. What stands in the way is thrown. */
export type Verdict = { readonly isMade: true } | { readonly isMade: false; readonly why: string };

export interface CheckOptions {
  readonly projected: ProjectedFiles;
  readonly held: Held;
  readonly isWho: IsWho;
  /** Its writer was killed, or is rolling back: the last step may be half made. */
  readonly isUnfinished: boolean;
  /** Throws where nothing may be changed. */
  readonly guard: (path: Bytes, isFolder: boolean) => void;
  /** Throws where a copied folder holds what others changed or added. */
  readonly asCopied: (path: Bytes, tree: CopiedTree) => Work<void>;
}

type Step<Did extends UndoStep["did"]> = Extract<UndoStep, { did: Did }>;

const made: Verdict = { isMade: true };
const notMade = (why: string): Verdict => ({ isMade: false, why });
const NEVER = "it was not changed after all";

/** Judges one step as things will be when all later ones are taken back, and foresees what taking it back does. */
export function* checkStep(step: UndoStep, options: CheckOptions): Work<Verdict> {
  switch (step.did) {
    case "rewrote":
      return yield* checkRewrite(step, options);
    case "created":
      return yield* checkCreation(step, options);
    case "deleted":
      return yield* checkDeletion(step, options);
    case "appended":
      return yield* checkAppend(step, options);
    case "cut":
      return yield* checkCut(step, options);
    case "made folder":
      return yield* checkFolder(step, options);
    case "removed folder":
      return yield* checkRemovedFolder(step, options);
    case "moved":
      return yield* checkMove(step, options);
    case "copied":
    case "restored":
      return yield* checkCopy(step, options);
    case "removed":
      return yield* checkRemoval(step, options);
    case "set mode":
      return yield* checkMode(step, options);
  }
}

function* checkRewrite({ path, before, after, inPlace }: Step<"rewrote">, options: CheckOptions): Work<Verdict> {
  const { projected, held, guard, isUnfinished } = options;
  const file = yield* fileAt(projected, path);
  if (!(yield* has(file, after))) {
    if (yield* has(file, before)) return notMade(NEVER);
    // Killed in the middle, with the old content safe in the journal.
    const isHalf = inPlace === true && isUnfinished && (yield* isWho(file, before.who, options));
    if (!isHalf) throw changed(path);
  }
  // The same content once more is another file all the same.
  const isOld = before.sha256 === after.sha256 && file.who !== undefined;
  if (isOld && (yield* isWho(file, before.who, options))) return notMade(NEVER);
  const content = demandContent(held, path, before);
  guard(path, false);
  projected.will(path, { file: before, mode: before.mode, content });
  return made;
}

function* checkCreation({ path, after }: Step<"created">, { projected, guard }: CheckOptions): Work<Verdict> {
  const sight = yield* projected.look(path);
  if (sight === undefined) return notMade("it is not there");
  if (sight.kind !== "file" || !(yield* has(sight, after))) throw changed(path);
  guard(path, false);
  projected.will(path, { gone: true });
  return made;
}

function* checkDeletion({ path, before }: Step<"deleted">, { projected, held, guard }: CheckOptions): Work<Verdict> {
  const sight = yield* projected.look(path);
  if (sight !== undefined) {
    if (sight.kind === "file" && (yield* has(sight, before))) return notMade("it is there");
    throw occupied(path);
  }
  yield* demandFolder(projected, path);
  const content = demandContent(held, path, before);
  guard(path, false);
  projected.will(path, { file: before, mode: before.mode, content });
  return made;
}

function* checkAppend(step: Step<"appended">, options: CheckOptions): Work<Verdict> {
  const { path, sizeBefore, after } = step;
  const file = yield* fileAt(options.projected, path);
  if (file.size === sizeBefore) return notMade(NEVER);
  if (!(yield* has(file, after)) && !(yield* isHalfAppended(file, step, options))) throw changed(path);
  options.guard(path, false);
  options.projected.will(path, { cutTo: sizeBefore });
  return made;
}

/** Killed in the middle of a large one. */
function* isHalfAppended(
  file: Sight,
  { sizeBefore, sha256Before, after }: Step<"appended">,
  { isUnfinished }: CheckOptions,
): Work<boolean> {
  if (!isUnfinished || sha256Before === undefined || file.size < sizeBefore || file.size > after.size) return false;
  return (yield* file.content(sizeBefore)).sha256 === sha256Before;
}

function* checkCut({ path, whole, tail, after }: Step<"cut">, options: CheckOptions): Work<Verdict> {
  const { projected, held, guard } = options;
  const file = yield* fileAt(projected, path);
  if (file.size === whole.size) return notMade(NEVER);
  if (!(yield* has(file, after))) throw changed(path);
  demandContent(held, path, tail);
  guard(path, false);
  projected.will(path, { grownTo: whole });
  return made;
}

function* checkFolder({ path }: Step<"made folder">, { projected, guard }: CheckOptions): Work<Verdict> {
  const sight = yield* projected.look(path);
  if (sight === undefined) return notMade("it is not there");
  if (sight.kind !== "folder") throw changed(path, "is not a folder any more");
  if (!(yield* projected.isEmpty(path, sight)))
    throw new Conflict(path, "is no longer empty", {
      remedy: `Move or delete what is in ${displayPath(path)}`,
      isChange: true,
    });
  guard(path, true);
  projected.will(path, { gone: true });
  return made;
}

function* checkRemovedFolder({ path }: Step<"removed folder">, { projected, guard }: CheckOptions): Work<Verdict> {
  const sight = yield* projected.look(path);
  if (sight?.kind === "folder") return notMade("it is there");
  if (sight !== undefined) throw occupied(path);
  yield* demandFolder(projected, path);
  guard(path, true);
  projected.will(path, { folder: true });
  return made;
}

function* checkMove({ from, to, who }: Step<"moved">, options: CheckOptions): Work<Verdict> {
  const { projected, guard } = options;
  const [source, target] = [yield* projected.look(from), yield* projected.look(to)];
  if (!(yield* isWho(target, who, options))) {
    if (yield* isWho(source, who, options)) return notMade("it was not moved after all");
    throw changed(to, target === undefined ? "is gone" : "is something else by now");
  }
  // Killed between the two names that a file has for a moment, it has both.
  if (source !== undefined && !isOne(source, target)) throw occupied(from);
  yield* demandFolder(projected, from);
  for (const path of [from, to]) guard(path, target?.kind === "folder");
  projected.will(from, { from: to });
  projected.will(to, { gone: true });
  return made;
}

function* checkCopy(step: Step<"copied"> | Step<"restored">, options: CheckOptions): Work<Verdict> {
  const { projected, guard } = options;
  const sight = yield* projected.look(step.to);
  if (sight === undefined) return notMade("it is not there");
  if (!(yield* isWho(sight, step.who, options))) throw changed(step.to, "is something else by now");
  if (step.did === "copied") yield* demandCopy(step, sight, options);
  guard(step.to, sight.kind === "folder");
  projected.will(step.to, { gone: true });
  return made;
}

function* demandCopy({ to, content, tree }: Step<"copied">, sight: Sight, { asCopied }: CheckOptions): Work<void> {
  if (content !== undefined && sight.kind === "file" && !(yield* has(sight, content))) throw changed(to);
  if (tree !== undefined && sight.kind === "folder" && sight.who !== undefined) yield* asCopied(to, tree);
}

function* checkRemoval({ path, kept, who }: Step<"removed">, options: CheckOptions): Work<Verdict> {
  const { projected, held, guard } = options;
  const keptAt = held.keptAt(kept);
  const [sight, copy] = [yield* projected.look(path), yield* projected.lookHeld(keptAt)];
  const isThere = yield* isWho(sight, who, options);
  if (copy === undefined) {
    if (isThere) return notMade("it is there");
    throw new Conflict(path, "is no longer in the undo store");
  }
  if (sight !== undefined && !isThere) throw occupied(path);
  if (isOne(sight, copy)) return notMade("it is there");
  // A copy is complete when the step is written down; of what is still there much may be gone.
  yield* demandFolder(projected, path);
  guard(path, copy.kind === "folder");
  projected.will(path, { held: keptAt });
  return made;
}

function* checkMode({ path, before, after }: Step<"set mode">, { projected, guard }: CheckOptions): Work<Verdict> {
  const sight = yield* projected.look(path);
  if (sight === undefined) throw changed(path, "is gone");
  if (sight.mode === before) return notMade(NEVER);
  if (sight.mode !== after) throw changed(path);
  guard(path, sight.kind === "folder");
  projected.will(path, { chmod: before });
  return made;
}

function* fileAt(projected: ProjectedFiles, path: Bytes): Work<Sight> {
  const sight = yield* projected.look(path);
  if (sight === undefined) throw changed(path, "is gone");
  if (sight.kind !== "file") throw changed(path, "is not a file any more");
  return sight;
}

/** The size first: a file that became large is not read to find out that it is another. */
function* has(sight: Sight, { sha256, size }: ContentMark): Work<boolean> {
  return sight.size === size && (yield* sight.content()).sha256 === sha256;
}

function* isWho(sight: Sight | undefined, who: Who | undefined, options: CheckOptions): Work<boolean> {
  return sight !== undefined && who !== undefined && (yield* options.isWho(sight, who));
}

function isOne(a: Sight | undefined, b: Sight | undefined): boolean {
  return a?.who !== undefined && a.kind !== "folder" && a.who.dev === b?.who?.dev && a.who.ino === b.who.ino;
}

function demandContent(held: Held, path: Bytes, { sha256 }: ContentMark): Content {
  const content = held.contentOf(sha256);
  if (content === undefined) throw new Conflict(path, "cannot get its old content back: that was not kept");
  return content;
}

function* demandFolder(projected: ProjectedFiles, path: Bytes): Work<void> {
  const parent = folderOf(path);
  if ((yield* projected.look(parent))?.kind === "folder") return;
  throw new Conflict(parent, "is gone", { remedy: `Make the folder ${displayPath(parent)}`, isChange: true });
}
