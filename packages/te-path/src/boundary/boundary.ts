import { type Bytes, contains, join, namesOf, normalizePath, textOf, displayPath } from "@llmc/names";
import type { OpenScope } from "../scope/scope.js";
import { kindOf } from "../kernel/kind.js";
import { close, type Stat, type Work } from "../kernel/syscalls.js";
import type { Scope } from "../scope/scope.js";
import { walk } from "../scope/walk.js";
import { nameOf, type OpenFolders, parentOf, withFolders } from "./open-folders.js";
import { Repositories } from "./repositories.js";
import { rewriteConfig, type ChangeContent } from "./rewrite-config.js";
import { tolerated } from "./tolerated.js";

/** What programs in a sandbox must not write to though it lies in a root. Paths are real ones. */
export interface Boundary {
  /** Read-only, because others execute it; with what told it apart when it was looked at. The nearest first. */
  readonly guarded: readonly Guarded[];
  /** Folders that hold some of it, to be kept in their place. */
  readonly pinned: readonly string[];
  /** Whether the roots have been searched to the end once: until then more is found that was always there. */
  readonly isWhole: boolean;
}

export interface Guarded {
  readonly path: string;
  /** Another one means that it was replaced. */
  readonly identity: string;
  /** When it was last made, moved or changed. */
  readonly changedMs: number;
}

/** Neither read nor written: our own state and credentials, wherever they lie. */
export interface ForbiddenPath {
  readonly path: string;
  readonly kind: "file" | "folder";
}

export class Boundaries {
  readonly #scope: OpenScope;
  readonly #repositories: Repositories;

  constructor(scope: OpenScope, ended: AbortSignal) {
    this.#scope = scope;
    this.#repositories = new Repositories(scope, ended);
  }

  /** For a command in that folder (a real path). */
  async around(cwd: string, signal?: AbortSignal): Promise<Boundary> {
    const scope = this.#scope;
    const { run, execConfig } = scope;
    const boundary = (of: Iterable<Bytes>) => withFolders(scope, (folders) => this.#boundary(folders, of));
    if (execConfig.allowed) return { ...(await run(boundary([]), cwd, signal)), isWhole: true };
    const folder = normalizePath(Buffer.from(cwd).toString("latin1"));
    const around = new Set([...upwards(scope, folder), ...(await this.#repositories.folders(folder, signal))]);
    const { isWhole } = this.#repositories;
    return { ...(await run(boundary(around), cwd, signal)), isWhole };
  }

  /** For all commands. */
  async shut(): Promise<readonly ForbiddenPath[]> {
    return await this.#scope.run(this.#shut(), "what stays shut");
  }

  /**
   * Rewrites a git config that `around` has listed as guarded, with that identity. Returns false if the file has
   * another identity, cannot be opened for writing, or does not change.
   */
  async rewriteConfig(path: string, identity: string, change: ChangeContent): Promise<boolean> {
    const scope = this.#scope;
    const real = normalizePath(Buffer.from(path).toString("latin1"));
    if (nameOf(real) !== "config" || scope.execConfig.isExecuted(real, false) === undefined) return false;
    const work = withFolders(scope, (folders) =>
      folders.read(parentOf(real), (git) => rewriteConfig(git, identity, change)),
    );
    return (await scope.change(work, path)) ?? false;
  }

  *#shut(): Work<ForbiddenPath[]> {
    const { machine } = this.#scope;
    for (const root of machine.roots) yield* root.resolve();
    return yield* withFolders(machine, (folders) => this.#shutBelow(folders));
  }

  *#shutBelow(folders: OpenFolders): Work<ForbiddenPath[]> {
    const { forbidden, roots } = this.#scope;
    const known = new Map<Bytes, Bytes | undefined>([["/", "/"]]);
    const found = new Map<Bytes, ForbiddenPath>();
    for (const [folder, names] of forbidden.shutNames("/", roots)) {
      const paths = [...names].filter((name) => !isKernels(join(folder, name)));
      const real = paths.length === 0 ? undefined : yield* this.#realFolder(folders, folder, known);
      if (real === undefined) continue;
      const stats = yield* folders.lstatSiblings(paths.map((name) => join(real, name)));
      for (const name of paths) {
        const path = join(folder, name);
        const stat = stats.get(join(real, name));
        const kind = stat && kindOf(stat);
        if (kind === undefined || kind === "link" || !isText(path)) continue;
        found.set(path, { path: textOf(path), kind: kind === "folder" ? "folder" : "file" });
      }
    }
    // In the order of the forbidden paths, because a sandbox hides them one after the other.
    return [...forbidden.forbiddenBelow("/", roots)].flatMap((path) => found.get(path) ?? []);
  }

  /** Returns the real path of a folder. Looks up each once, because most of the server's own paths lie in few folders. */
  *#realFolder(folders: OpenFolders, path: Bytes, known: Map<Bytes, Bytes | undefined>): Work<Bytes | undefined> {
    if (known.has(path)) return known.get(path);
    const above = yield* this.#realFolder(folders, parentOf(path), known);
    const spelled = above === undefined ? undefined : join(above, nameOf(path));
    const real = spelled === undefined ? undefined : yield* this.#withoutLink(folders, spelled);
    known.set(path, real);
    return real;
  }

  *#withoutLink(folders: OpenFolders, path: Bytes): Work<Bytes | undefined> {
    const found = yield* folders.lstat(path);
    const kind = found && kindOf(found);
    if (kind !== "link") return kind === "folder" ? path : undefined;
    const asked = { path, shown: displayPath(path), folder: true };
    const target = yield* tolerated(walk(this.#scope.machine, asked));
    if (target !== undefined) yield* close(target.entry);
    return target?.real;
  }

  *#boundary(folders: OpenFolders, around: Iterable<Bytes>): Work<Omit<Boundary, "isWhole">> {
    const { roots, execConfig } = this.#scope;
    const pinned: string[] = [];
    const guarded: Guarded[] = [];
    for (const folder of around) {
      if (!(yield* folders.keep(folder)) || !(yield* this.#repositories.holds(folders, folder))) continue;
      for (const { name, isFolder, kind } of (yield* folders.list(folder)) ?? []) {
        const path = join(folder, name);
        if (name === ".git" && isFolder) {
          const inside = yield* this.#inGit(folders, path);
          if (inside.length > 0) pinned.push(textOf(path));
          guarded.push(...inside);
        } else if (kind !== "link" && execConfig.isExecuted(path, isFolder) !== undefined) {
          guarded.push(...(yield* guard(folders, path)));
        }
      }
    }
    for (const path of execConfig.program) {
      if (roots.some((root) => contains(root.real, path))) guarded.push(...(yield* guard(folders, path)));
    }
    return { pinned, guarded };
  }

  *#inGit(folders: OpenFolders, git: Bytes): Work<Guarded[]> {
    if (!(yield* folders.keep(git))) return [];
    const found: Guarded[] = [];
    for (const name of ["hooks", "config", "config.worktree"]) {
      const path = join(git, name);
      if (this.#scope.execConfig.isExecuted(path, name === "hooks") !== undefined)
        found.push(...(yield* guard(folders, path)));
    }
    const modules = join(git, "modules");
    if ((yield* folders.lstat(modules)) === undefined) return found;
    for (const { name, isFolder } of (yield* folders.list(modules)) ?? []) {
      if (isFolder) found.push(...(yield* this.#inGit(folders, join(modules, name))));
    }
    return found;
  }
}

/** The folder and all around it, up to its root. */
function upwards(scope: Scope, cwd: Bytes): Bytes[] {
  const root = scope.roots.find(({ real }) => contains(real, cwd));
  if (root === undefined) return [];
  const names = namesOf(cwd.slice(root.real === "/" ? 0 : root.real.length));
  return [root.real, ...names.map((_, at) => join(root.real, ...names.slice(0, at + 1)))].toReversed();
}

function* guard(folders: OpenFolders, path: Bytes): Work<Guarded[]> {
  const found = yield* folders.lstat(path);
  return found === undefined || kindOf(found) === "link" || !isText(path) ? [] : [guardedAs(path, found)];
}

function guardedAs(path: Bytes, { dev, ino, ctimeNs }: Stat): Guarded {
  return { path: textOf(path), identity: `${dev}:${ino}`, changedMs: Number(ctimeNs / 1_000_000n) };
}

/** Returns whether a sandbox mounts its own file system there. */
function isKernels(path: Bytes): boolean {
  return ["/proc", "/sys", "/dev"].some((system) => contains(system, path));
}

/** A program is given paths as text: what is none cannot be named to it. */
function isText(path: Bytes): boolean {
  return !textOf(path).includes("\ufffd");
}
