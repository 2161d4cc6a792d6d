import type { Hand } from "../hand.js";
import { kindOf } from "../kernel/kind.js";
import type { Listed } from "../kernel/listing.js";
import { close, hasCode, listAtOnce, lstat, open, type Bytes, type Steps } from "../kernel/syscalls.js";
import { contains, join, namesOf, textOf } from "../path/names.js";
import type { Tree } from "../path/walk.js";
import { READ_FOLDER } from "../search/flags.js";

/** What a sandbox around programs has to keep from them. Paths are real ones. */
export interface Boundary {
  /** Neither read nor written: our own state and credentials, wherever they lie. */
  readonly hidden: readonly { readonly path: string; readonly kind: "file" | "folder" }[];
  /** Read-only inside the roots, because others execute it; with what told it apart when it was looked at. */
  readonly guarded: readonly Guarded[];
  /** Folders that hold some of it, to be kept in their place. */
  readonly pinned: readonly string[];
}

export interface Guarded {
  readonly path: string;
  /** Another one means that it was replaced. */
  readonly identity: string;
}

/** How far below a root other repositories are looked for, and in how many folders. */
const MAX_DEPTH = 3;
const MAX_FOLDERS = 2000;
const MAX_GUARDED = 256;
/** Full of folders, and none of them is opened as a project. */
const NOT_ENTERED = new Set([
  "node_modules",
  ".git",
  "target",
  "dist",
  "build",
  "vendor",
  "__pycache__",
  ".venv",
  "venv",
]);
const FRESH_MS = 10_000;
const QUICK_MS = 5;

/** The folders of each root in which something that others execute was found, looked up now and then. */
export class Boundaries {
  readonly #hand: Hand;
  #found: { readonly at: number; readonly took: number; readonly folders: readonly Bytes[] } | undefined;

  constructor(hand: Hand) {
    this.#hand = hand;
  }

  /** For a command in that folder (a real path). */
  async around(cwd: string): Promise<Boundary> {
    const { tree, run } = this.#hand;
    const now = performance.now();
    const { at, took } = this.#found ?? { at: Number.NEGATIVE_INFINITY, took: 0 };
    // Where a look costs next to nothing it is taken each time: a repository that was just made counts at once.
    if (this.#found === undefined || took < QUICK_MS || now - at > FRESH_MS) {
      const folders = await run(this.#search(), cwd);
      this.#found = { at: now, took: performance.now() - now, folders };
    }
    const folders = [...new Set([...upwards(tree, Buffer.from(cwd).toString("latin1")), ...this.#found.folders])];
    return await run(this.#boundary(folders), cwd);
  }

  *#boundary(folders: readonly Bytes[]): Steps<Boundary> {
    const { tree, executed } = this.#hand;
    const hidden: { path: string; kind: "file" | "folder" }[] = [];
    for (const path of tree.closed.shutBelow("/", tree.roots)) {
      if (["/proc", "/sys", "/dev"].some((system) => contains(system, path))) continue;
      const found = yield* lookAt(path);
      if (found !== undefined && isText(path) && found.kind !== "link")
        hidden.push({ path: textOf(path), kind: found.kind === "folder" ? "folder" : "file" });
    }
    const pinned: string[] = [];
    const guarded: Guarded[] = [];
    for (const folder of folders) {
      for (const { name, isFolder, kind } of (yield* list(folder)) ?? []) {
        const path = join(folder, name);
        if (name === ".git" && isFolder) {
          const inside = yield* this.#inGit(path);
          if (inside.length > 0) pinned.push(textOf(path));
          guarded.push(...inside);
        } else if (kind !== "link" && executed.isExecuted(path, isFolder) !== undefined) {
          guarded.push(...(yield* guard(path)));
        }
      }
    }
    for (const path of executed.program) {
      if (tree.roots.some((root) => contains(root.real, path))) guarded.push(...(yield* guard(path)));
    }
    return { hidden, pinned, guarded: guarded.slice(0, MAX_GUARDED) };
  }

  *#inGit(git: Bytes): Steps<Guarded[]> {
    const found: Guarded[] = [];
    for (const name of ["hooks", "config", "config.worktree"]) {
      const path = join(git, name);
      if (this.#hand.executed.isExecuted(path, name === "hooks") !== undefined) found.push(...(yield* guard(path)));
    }
    for (const { name, isFolder } of (yield* list(join(git, "modules"))) ?? []) {
      if (isFolder) found.push(...(yield* this.#inGit(join(git, "modules", name))));
    }
    return found;
  }

  *#search(): Steps<Bytes[]> {
    const { tree, executed } = this.#hand;
    const found: Bytes[] = [];
    let left = MAX_FOLDERS;
    let level = tree.roots.map((root) => root.real).filter((real) => tree.mounts.network(real) === null);
    for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
      const next: Bytes[] = [];
      for (const folder of level) {
        if ((left -= 1) < 0) return found;
        const names = (yield* list(folder)) ?? [];
        const has = ({ name, isFolder }: Listed): boolean =>
          name === ".git" || executed.isExecuted(join(folder, name), isFolder) !== undefined;
        if (names.some(has)) found.push(folder);
        for (const each of names) {
          const path = join(folder, each.name);
          if (each.isFolder && !NOT_ENTERED.has(each.name) && !isSystem(path) && !has(each)) next.push(path);
        }
      }
      level = next;
    }
    return found;
  }
}

/** The folder and all around it, up to its root. */
function upwards(tree: Tree, cwd: Bytes): Bytes[] {
  const root = tree.roots.find(({ real }) => contains(real, cwd));
  if (root === undefined) return [];
  const names = namesOf(cwd.slice(root.real === "/" ? 0 : root.real.length));
  return [root.real, ...names.map((_, at) => join(root.real, ...names.slice(0, at + 1)))].toReversed();
}

/** With the root "/": read-only there anyway, or not shown. */
function isSystem(path: Bytes): boolean {
  return ["/proc", "/sys", "/dev", "/run", "/usr", "/etc", "/var", "/opt", "/lib", "/boot"].some((system) =>
    contains(system, path),
  );
}

function* guard(path: Bytes): Steps<Guarded[]> {
  const found = yield* lookAt(path);
  if (found === undefined || found.kind === "link" || !isText(path)) return [];
  return [{ path: textOf(path), identity: found.identity }];
}

function* lookAt(path: Bytes): Steps<{ kind: string; identity: string } | undefined> {
  try {
    const found = yield* lstat(null, path);
    return found === undefined ? undefined : { kind: kindOf(found), identity: `${found.dev}:${found.ino}` };
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG")) return undefined;
    throw thrown;
  }
}

function* list(folder: Bytes): Steps<readonly Listed[] | undefined> {
  try {
    const held = yield* open(null, folder, READ_FOLDER);
    try {
      return yield* listAtOnce(held);
    } finally {
      yield* close(held);
    }
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG")) return undefined;
    throw thrown;
  }
}

/** A program is given paths as text: what is none cannot be named to it. */
function isText(path: Bytes): boolean {
  return !textOf(path).includes("\ufffd");
}
