import { type Bytes, contains, join, namesOf, textOf } from "@llmc/names";
import type { OpenScope } from "../scope/scope.js";
import { kindOf } from "../kernel/kind.js";
import { lstat, type Work } from "../kernel/syscalls.js";
import type { Scope } from "../scope/scope.js";
import { listed, tolerated } from "./look.js";
import { Repositories } from "./repositories.js";

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
    if (execConfig.allowed) return { ...(await run(this.#boundary([]), cwd, signal)), isWhole: true };
    const folder = Buffer.from(cwd).toString("latin1");
    const folders = new Set([...upwards(scope, folder), ...(await this.#repositories.folders(folder, signal))]);
    const { isWhole } = this.#repositories;
    return { ...(await run(this.#boundary([...folders]), cwd, signal)), isWhole };
  }

  /** For all commands. */
  async shut(): Promise<readonly ForbiddenPath[]> {
    return await this.#scope.run(this.#shut(), "what stays shut");
  }

  *#shut(): Work<ForbiddenPath[]> {
    const scope = this.#scope;
    const shut: ForbiddenPath[] = [];
    for (const path of scope.forbidden.forbiddenBelow("/", scope.roots)) {
      if (["/proc", "/sys", "/dev"].some((system) => contains(system, path))) continue;
      const found = yield* lookAt(scope.mounts.network(path), path);
      if (found !== undefined && isText(path) && found.kind !== "link")
        shut.push({ path: textOf(path), kind: found.kind === "folder" ? "folder" : "file" });
    }
    return shut;
  }

  *#boundary(folders: readonly Bytes[]): Work<Omit<Boundary, "isWhole">> {
    const scope = this.#scope;
    const { execConfig } = scope;
    const pinned: string[] = [];
    const guarded: Guarded[] = [];
    for (const folder of folders) {
      if (!(yield* this.#repositories.holds(folder))) continue;
      const mount = scope.mounts.network(folder);
      for (const { name, isFolder, kind } of (yield* listed(mount, folder)) ?? []) {
        const path = join(folder, name);
        if (name === ".git" && isFolder) {
          const inside = yield* this.#inGit(mount, path);
          if (inside.length > 0) pinned.push(textOf(path));
          guarded.push(...inside);
        } else if (kind !== "link" && execConfig.isExecuted(path, isFolder) !== undefined) {
          guarded.push(...(yield* guard(mount, path)));
        }
      }
    }
    for (const path of execConfig.program) {
      if (scope.roots.some((root) => contains(root.real, path)))
        guarded.push(...(yield* guard(scope.mounts.network(path), path)));
    }
    return { pinned, guarded };
  }

  *#inGit(mount: Bytes | null, git: Bytes): Work<Guarded[]> {
    const found: Guarded[] = [];
    for (const name of ["hooks", "config", "config.worktree"]) {
      const path = join(git, name);
      if (this.#scope.execConfig.isExecuted(path, name === "hooks") !== undefined)
        found.push(...(yield* guard(mount, path)));
    }
    for (const { name, isFolder } of (yield* listed(mount, join(git, "modules"))) ?? []) {
      if (isFolder) found.push(...(yield* this.#inGit(mount, join(git, "modules", name))));
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

function* guard(mount: Bytes | null, path: Bytes): Work<Guarded[]> {
  const found = yield* lookAt(mount, path);
  if (found === undefined || found.kind === "link" || !isText(path)) return [];
  return [{ path: textOf(path), identity: found.identity, changedMs: found.changedMs }];
}

interface Found {
  readonly kind: string;
  readonly identity: string;
  readonly changedMs: number;
}

function* lookAt(mount: Bytes | null, path: Bytes): Work<Found | undefined> {
  const found = yield* tolerated(lstat(mount, path));
  if (found === undefined) return undefined;
  const { dev, ino, ctimeNs } = found;
  return { kind: kindOf(found), identity: `${dev}:${ino}`, changedMs: Number(ctimeNs / 1_000_000n) };
}

/** A program is given paths as text: what is none cannot be named to it. */
function isText(path: Bytes): boolean {
  return !textOf(path).includes("\ufffd");
}
