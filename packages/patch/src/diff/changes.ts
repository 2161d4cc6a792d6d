import { posix } from "node:path";
import { applyHunks, type Applied } from "./apply.js";
import { whereUnlike } from "./deleted.js";
import type { FilePlan, PathPair } from "./plan.js";
import { createPace, type Pace } from "./pace.js";
import { errorOf, type Problem } from "./problems.js";
import { chooseReadings } from "./spellings.js";
import { inOrder } from "./order.js";
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

/** What the diff makes of the files. Nothing is given unless all of it fits. */
export async function computeChanges(plans: readonly FilePlan[], options: ChangesOptions): Promise<readonly Change[]> {
  const { read, keyOf = (path) => posix.normalize(path), maxTotalBytes = MAX_TOTAL_BYTES, signal } = options;
  const tree = createFilesToBe({ read, keyOf, maxBytes: maxTotalBytes });
  const chosen = await chooseReadings(plans, (path) => tree.read(path));
  const pace = createPace(signal);
  const problems: Problem[] = [];
  for (const { plan, pair } of await inOrder(chosen, keyOf, (path) => tree.read(path))) {
    await pace.rest();
    const result = await changeOf(plan, pair, { tree, pace });
    if ("of" in result || "hint" in result) problems.push(result);
    else tree.add(result);
  }
  if (problems.length > 0) throw errorOf(problems);
  return tree.changes();
}

interface Work {
  readonly tree: FilesToBe;
  readonly pace: Pace;
}

function changeOf(plan: FilePlan, pair: PathPair, work: Work): Promise<Change | Problem> {
  switch (plan.kind) {
    case "create":
      return create(plan, pair.newPath ?? "", work);
    case "delete":
      return remove(plan, pair.oldPath ?? "", work);
    case "modify":
      return modify(plan, pair, work);
    case "rename":
    case "copy":
      return move(plan, plan.kind, pair, work);
  }
}

async function create({ hunks, mode }: FilePlan, path: string, { tree }: Work): Promise<Change | Problem> {
  const there = await tree.read(path);
  const lines = hunks.flatMap((hunk) => hunk.lines);
  // Only the last line of a file can lack its end.
  const text = lines.map((line, at) => line.text + (at < lines.length - 1 ? line.end || "\n" : line.end)).join("");
  const after = Buffer.from(text, "latin1");
  if (there === null) return { kind: "create", path, from: null, before: null, after, mode, hunks: [] };
  const hint = there.equals(after)
    ? "It has this very content: there is nothing left to do."
    : "To change it, name it after --- as well (or *** Update File) and give the lines that change; to replace it, delete it in a part above.";
  return { kind: "exists", path, hint };
}

async function remove({ hunks, mode }: FilePlan, path: string, { tree }: Work): Promise<Change | Problem> {
  const before = await tree.read(path);
  if (before === null) return { kind: "missing", path, hint: "Leave that part out if it was deleted already." };
  const unlike = hunks.length === 0 ? null : whereUnlike(before, hunks);
  const proof = hunks.length === 0 && before.length > 0 ? { unproven: true as const } : {};
  if (unlike === null) return { kind: "delete", path, from: null, before, after: null, mode, hunks: [], ...proof };
  return {
    kind: "other",
    path,
    text: `is to be deleted, but ${unlike}`,
    hint: "To delete it whatever it holds, write `*** Delete File: path` without its lines.",
  };
}

async function modify(plan: FilePlan, { oldPath, newPath }: PathPair, work: Work): Promise<Change | Problem> {
  const path = newPath ?? "";
  const { tree, pace } = work;
  const before = await tree.read(path);
  if (before === null && oldPath !== newPath && (await tree.read(oldPath ?? "")) !== null) {
    return {
      kind: "other",
      path,
      text: `does not exist, and ${oldPath ?? ""} has another name`,
      hint: "To rename, write `rename from` and `rename to` below `diff --git`, or *** Move to: path; else name one file in both lines.",
    };
  }
  if (before === null) return startsEmpty(plan) ? create(plan, path, work) : missing(path);
  const result = await applyHunks(before, plan.hunks, { pace });
  if (!("content" in result)) return { kind: "misses", path, of: plan.hunks.length, result };
  if (plan.mode === null && result.content.equals(before)) return unchanged(path);
  return { kind: "modify", path, from: null, before, ...outcome(plan, result) };
}

async function move(
  plan: FilePlan,
  kind: "rename" | "copy",
  { oldPath, newPath }: PathPair,
  { tree, pace }: Work,
): Promise<Change | Problem> {
  const [from, path] = [oldPath ?? "", newPath ?? ""];
  const [before, there] = [await tree.read(from), await tree.read(path)];
  if (before === null)
    return there === null
      ? missing(from)
      : { ...missing(from), hint: `${path} exists: it may have been moved already.` };
  if (there !== null) return { kind: "exists", path, hint: "Delete it in a part above to replace it." };
  const result = await applyHunks(before, plan.hunks, { pace });
  if (!("content" in result)) return { kind: "misses", path: from, of: plan.hunks.length, result };
  return { kind, path, from, before, ...outcome(plan, result) };
}

function outcome({ mode }: FilePlan, { content, hunks }: Applied): Pick<Change, "after" | "mode" | "hunks"> {
  return { after: content, mode, hunks };
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
