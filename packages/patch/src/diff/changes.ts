import { posix } from "node:path";
import { applyHunks, type Applied } from "./apply.js";
import { whereUnlike } from "./deleted.js";
import type { FilePlan, PathPair } from "./plan.js";
import { createPace, type Pace } from "./pace.js";
import { errorOf, type Problem } from "./problems.js";
import { chooseReadings } from "./spellings.js";
import { inOrder } from "./order.js";
import { noteOn, nothingLeft, type There } from "./there.js";
import { createFilesToBe, type Change, type FilesToBe } from "./files-to-be.js";

export interface ChangesOptions {
  /** Null: there is no such file. What it throws for a path that is only guessed at means the same. */
  read(path: string): Promise<Buffer | null> | Buffer | null;
  /** One text for all spellings of a path; without it they are settled as text. */
  keyOf?(path: string): string;
  /** Of all that is read and made, a file counted anew for each part of the diff that is about it. */
  maxTotalBytes?: number;
  signal?: AbortSignal | undefined;
}

const MAX_TOTAL_BYTES = 96 * 1024 * 1024;

export interface Computed {
  readonly changes: readonly Change[];
  /** One line for each file that already had a part of the diff. */
  readonly notes: readonly string[];
}

/**
 * Computes the changes of a diff. Throws unless every part fits or is already applied, and at least one part is new.
 */
export async function computeChanges(plans: readonly FilePlan[], options: ChangesOptions): Promise<Computed> {
  const { read, keyOf = (path) => posix.normalize(path), maxTotalBytes = MAX_TOTAL_BYTES, signal } = options;
  const tree = createFilesToBe({ read, keyOf, maxBytes: maxTotalBytes });
  const chosen = await chooseReadings(plans, (path) => tree.read(path));
  const pace = createPace(signal);
  const problems: Problem[] = [];
  const known: There[] = [];
  for (const { plan, pair } of await inOrder(chosen, keyOf, (path) => tree.read(path))) {
    await pace.rest();
    const { change, problem, there } = await partOf(plan, pair, { tree, pace });
    if (problem !== undefined) problems.push(problem);
    if (there !== undefined) known.push(there);
    if (change !== undefined) tree.add(change);
  }
  if (problems.length > 0) throw errorOf(problems);
  const changes = tree.changes();
  if (changes.length === 0 && known.length > 0) throw nothingLeft(known);
  return { changes, notes: known.map(noteOn) };
}

/** Result for one part of a diff. */
interface Part {
  readonly change?: Change;
  readonly problem?: Problem;
  readonly there?: There;
}

interface Work {
  readonly tree: FilesToBe;
  readonly pace: Pace;
}

async function partOf(plan: FilePlan, pair: PathPair, work: Work): Promise<Part> {
  switch (plan.kind) {
    case "create":
      return await create(plan, pair.newPath ?? "", work);
    case "delete":
      return await remove(plan, pair.oldPath ?? "", work);
    case "modify":
      return await modify(plan, pair, work);
    case "rename":
    case "copy":
      return await move(plan, plan.kind, pair, work);
  }
}

async function create({ hunks, mode }: FilePlan, path: string, { tree }: Work): Promise<Part> {
  const there = await tree.read(path);
  const lines = hunks.flatMap((hunk) => hunk.lines);
  // Only the last line of a file can lack its end.
  const text = lines.map((line, at) => line.text + (at < lines.length - 1 ? line.end || "\n" : line.end)).join("");
  const after = Buffer.from(text, "latin1");
  if (there === null) return { change: { kind: "create", path, from: null, before: null, after, mode, hunks: [] } };
  if (there.equals(after)) return { there: { path, hunks: [] } };
  const hint =
    "To change it, name it after --- as well (or *** Update File) and give the lines that change; to replace it, delete it in a part above.";
  return { problem: { kind: "exists", path, hint } };
}

async function remove({ hunks, mode }: FilePlan, path: string, { tree }: Work): Promise<Part> {
  const before = await tree.read(path);
  if (before === null)
    return { problem: { kind: "missing", path, hint: "Leave that part out if it was deleted already." } };
  const unlike = hunks.length === 0 ? null : whereUnlike(before, hunks);
  const proof = hunks.length === 0 && before.length > 0 ? { unproven: true as const } : {};
  if (unlike === null)
    return { change: { kind: "delete", path, from: null, before, after: null, mode, hunks: [], ...proof } };
  const hint = "To delete it whatever it holds, write `*** Delete File: path` without its lines.";
  return { problem: { kind: "other", path, text: `is to be deleted, but ${unlike}`, hint } };
}

async function modify(plan: FilePlan, { oldPath, newPath }: PathPair, work: Work): Promise<Part> {
  const path = newPath ?? "";
  const { tree, pace } = work;
  const before = await tree.read(path);
  if (before === null && oldPath !== newPath && (await tree.read(oldPath ?? "")) !== null) {
    const text = `does not exist, and ${oldPath ?? ""} has another name`;
    const hint =
      "To rename, write `rename from` and `rename to` below `diff --git`, or *** Move to: path; else name one file in both lines.";
    return { problem: { kind: "other", path, text, hint } };
  }
  if (before === null) return startsEmpty(plan) ? await create(plan, path, work) : { problem: missing(path) };
  const result = await applyHunks(before, plan.hunks, { path, pace });
  if (!("content" in result)) return { problem: { kind: "misses", path, result } };
  const there = thereOf(path, result);
  if (plan.mode !== null || !result.content.equals(before))
    return { change: { kind: "modify", path, from: null, before, ...outcome(plan, result) }, ...there };
  return result.hunks.length === 0 ? there : { problem: unchanged(path) };
}

async function move(
  plan: FilePlan,
  kind: "rename" | "copy",
  { oldPath, newPath }: PathPair,
  { tree, pace }: Work,
): Promise<Part> {
  const [from, path] = [oldPath ?? "", newPath ?? ""];
  const [before, there] = [await tree.read(from), await tree.read(path)];
  if (before === null) {
    const { hint } = missing(from);
    const moved = `${path} exists: it may have been moved already.`;
    return { problem: { ...missing(from), hint: there === null ? hint : moved } };
  }
  if (there !== null) return { problem: { kind: "exists", path, hint: "Delete it in a part above to replace it." } };
  const result = await applyHunks(before, plan.hunks, { path: from, pace });
  if (!("content" in result)) return { problem: { kind: "misses", path: from, result } };
  return { change: { kind, path, from, before, ...outcome(plan, result) }, ...thereOf(path, result) };
}

function thereOf(path: string, { before }: Applied): Pick<Part, "there"> {
  if (before.length === 0) return {};
  return { there: { path, hunks: before.map(({ hunk, lines: [line = 1] }) => ({ hunk: hunk.number, line })) } };
}

function outcome({ mode }: FilePlan, applied: Applied): Pick<Change, "after" | "mode" | "hunks" | "encoding"> {
  const { content, hunks, encoding } = applied;
  return { after: content, mode, hunks, ...(encoding === "utf-8" ? {} : { encoding }) };
}

/** `@@ -0,0` and nothing but new lines: of a file that is not there, that is its content. */
function startsEmpty({ hunks }: FilePlan): boolean {
  return hunks.length > 0 && hunks.every(({ line, lines }) => line === 0 && lines.every(({ op }) => op === "+"));
}

function missing(path: string): Problem & { readonly kind: "missing" } {
  return { kind: "missing", path, hint: "Correct the path; for a new file write `--- /dev/null` or *** Add File." };
}

function unchanged(path: string): Problem {
  return {
    kind: "other",
    path,
    text: "would not change: each line comes back as it was",
    hint: "Write the new lines after +.",
  };
}
