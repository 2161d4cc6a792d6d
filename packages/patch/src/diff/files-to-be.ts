import { PatchFailedError } from "@llmc/errors";
import type { Encoding } from "../text/encoding.js";
import type { AppliedHunk } from "./apply.js";
import type { FileMode, PlanKind } from "./plan.js";

/** What becomes of one file. Made in order, the changes of a diff never meet a file that is in the way. */
export interface Change {
  readonly kind: PlanKind;
  /** Where the result is; of a delete, what goes. */
  readonly path: string;
  /** Of a rename or a copy: where the content came from. */
  readonly from: string | null;
  /** What `from`, else `path`, holds until now; null for a new file. */
  readonly before: Buffer | null;
  /** Null for a delete. */
  readonly after: Buffer | null;
  readonly mode: FileMode | null;
  readonly hunks: readonly AppliedHunk[];
  /** Encoding of the file, which the change keeps; omitted for UTF-8. */
  readonly encoding?: Encoding["name"];
  /** What is there goes without a line of it in the diff. */
  readonly unproven?: true;
}

/** The files as they will be, while the parts of a diff are gone through. */
export interface FilesToBe {
  /** Null: there is no such file. */
  read(path: string): Promise<Buffer | null>;
  add(change: Change): void;
  changes(): readonly Change[];
}

export interface FilesToBeOptions {
  read(path: string): Promise<Buffer | null> | Buffer | null;
  /** One text for all spellings of a path. */
  keyOf(path: string): string;
  /** Of all that is read and made: reading a file again counts again. */
  readonly maxBytes: number;
}

export function createFilesToBe({ read, keyOf, maxBytes }: FilesToBeOptions): FilesToBe {
  const contents = new Map<string, Buffer | null>();
  const changes = new Map<number, Change>();
  const latest = new Map<string, number>();
  let next = 0;
  let bytes = 0;

  function count(content: Buffer | null): void {
    bytes += content?.length ?? 0;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
  }

  function put(change: Change, at: number): void {
    changes.set(at, change);
    latest.set(keyOf(change.path), at);
    if (change.kind === "rename" && change.from !== null) latest.delete(keyOf(change.from));
  }

  /** Whether a change in between needs one of the places as it was: then two changes cannot be made as one. */
  function isUsedAfter(at: number, one: Change, other: Change): boolean {
    const places = new Set([one, other].flatMap(({ path, from }) => [keyOf(path), keyOf(from ?? path)]));
    return [...changes].some(
      ([index, { path, from }]) => index > at && (places.has(keyOf(path)) || places.has(keyOf(from ?? path))),
    );
  }

  return {
    async read(path) {
      const key = keyOf(path);
      const known = contents.get(key);
      const content = known === undefined ? await read(path) : known;
      count(content);
      contents.set(key, content);
      return content;
    },
    add(change) {
      const source = keyOf(change.from ?? change.path);
      const at = latest.get(source);
      const earlier = at === undefined ? undefined : changes.get(at);
      if (change.kind === "rename" || change.kind === "delete") contents.set(source, null);
      count(change.after);
      if (change.after !== null) contents.set(keyOf(change.path), change.after);
      // A copy leaves what it was made of where it is.
      if (at === undefined || earlier === undefined || change.kind === "copy") return put(change, next++);
      const moves = change.kind === "rename" || change.kind === "delete";
      if (moves && isUsedAfter(at, earlier, change)) throw changedTooOften(change.from ?? change.path);
      latest.delete(source);
      changes.delete(at);
      const whole = join(earlier, change);
      if (whole !== null) put(whole, at);
    },
    changes: () => [...changes].sort(([a], [b]) => a - b).map(([, change]) => change),
  };
}

/** Two changes of one file, the second of what the first left; null if nothing is left of both. */
function join(one: Change, other: Change): Change | null {
  const hunks = [...one.hunks, ...other.hunks];
  const mode = other.mode ?? one.mode;
  const { after } = other;
  if (one.kind === "delete") return { ...other, ...unproven(one), kind: "modify", before: one.before, mode, hunks };
  if (after === null) {
    if (one.kind === "create" || one.kind === "copy") return null;
    return { ...other, path: one.from ?? one.path, before: one.before, hunks };
  }
  if (other.kind !== "rename") return { ...one, after, mode, hunks };
  if (one.kind === "create" || one.kind === "copy") return { ...one, path: other.path, after, mode, hunks };
  const from = one.from ?? one.path;
  const back = from === other.path;
  return {
    kind: back ? "modify" : "rename",
    path: other.path,
    from: back ? null : from,
    before: one.before,
    after,
    mode,
    hunks,
  };
}

function unproven(change: Change): Pick<Change, "unproven"> {
  return change.unproven === true ? { unproven: true } : {};
}

function tooLarge(limit: number): PatchFailedError {
  return new PatchFailedError(`The parts of the diff are about more than ${limit} bytes together`, {
    hint: "Send it in parts.",
  });
}

function changedTooOften(path: string): PatchFailedError {
  return new PatchFailedError(`Several parts of the diff move or delete ${path}`, { hint: "Send it as two diffs." });
}
