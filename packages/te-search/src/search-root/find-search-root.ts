import type { ClosedPath, SearchRoot, SearchRootOptions } from "./search-root.js";
import { InvalidPathError } from "@llmc/errors";
import {
  type OpenScope,
  PROC_FD,
  kindOf,
  close,
  hasCode,
  lstat,
  open,
  type Descriptor,
  type Stat,
  type Work,
  READ_FILE,
  READ_FOLDER,
  walk,
  type Scope,
} from "@llmc/te-path";
import { type Bytes, type RequestedPath, contains, displayPath } from "@llmc/names";

export async function findSearchRoot(
  scope: OpenScope,
  path: string,
  { cwd, signal }: SearchRootOptions = {},
): Promise<SearchRoot> {
  const asked = scope.requested(path, cwd);
  return await scope.run(findSteps(scope, asked), asked.shown, signal);
}

function* findSteps(scope: Scope, asked: RequestedPath): Work<SearchRoot> {
  const { entry, stat, real } = yield* walk(scope, asked);
  let kind: SearchRoot["kind"];
  try {
    kind = searchable(stat, asked.shown);
    yield* mayRead(entry, kind);
  } finally {
    yield* close(entry);
  }
  const { root, closed } = rootAround(scope, real);
  return {
    path: asked.shown,
    kind,
    real,
    root: { path: displayPath(root.path), real: root.real },
    closed: yield* kindsOf(scope, closed),
    hasAliases: yield* scope.forbidden.hasLinks(scope.mounts.network(real)),
  };
}

function searchable(stat: Stat, shown: string): SearchRoot["kind"] {
  const kind = kindOf(stat);
  if (kind === "file" || kind === "folder") return kind;
  throw new InvalidPathError(
    shown,
    `is a ${kind === "fifo" ? "FIFO" : kind}, not a file or a folder`,
    "Search the folder that it lies in.",
  );
}

/** Throws what reading it would. */
function* mayRead({ fd, mount }: Descriptor, kind: SearchRoot["kind"]): Work<void> {
  yield* close(yield* open(mount, `${PROC_FD}/${fd}`, kind === "file" ? READ_FILE : READ_FOLDER));
}

/** A root that lies in credentials is a root of its own: from those around it nothing leads there. */
function rootAround(scope: Scope, real: Bytes): { root: Scope["roots"][number]; closed: ReadonlySet<Bytes> } {
  const around = scope.roots
    .filter((root) => contains(root.real, real))
    .toSorted((a, b) => a.real.length - b.real.length)
    .map((root) => ({ root, closed: scope.forbidden.forbiddenBelow(root.real, scope.roots) }));
  const open = around.find(({ closed }) => ![...closed].some((path) => contains(path, real)));
  return (open ?? around.at(-1)) as { root: Scope["roots"][number]; closed: ReadonlySet<Bytes> };
}

function* kindsOf({ mounts }: Scope, paths: ReadonlySet<Bytes>): Work<ClosedPath[]> {
  const closed: ClosedPath[] = [];
  for (const real of paths) closed.push({ real, kind: yield* kindAt(mounts.network(real), real) });
  return closed;
}

function* kindAt(mount: Bytes | null, real: Bytes): Work<ClosedPath["kind"]> {
  try {
    const found = yield* lstat(mount, real);
    if (found === undefined) return "absent";
    const kind = kindOf(found);
    return kind === "folder" ? "folder" : kind === "link" ? "absent" : "file";
  } catch (thrown) {
    if (hasCode(thrown, "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG")) return "absent";
    throw thrown;
  }
}

/** Opens the search root as an O_PATH descriptor; throws if another file or folder has replaced it. */
export function* enterSearchRoot(
  scope: Scope,
  { real, path, kind }: Pick<SearchRoot, "real" | "path" | "kind">,
): Work<{ readonly entry: Descriptor; readonly stat: Stat }> {
  const found = yield* walk(scope, { path: real, shown: path, folder: kind === "folder" });
  if (found.real === real && kindOf(found.stat) === kind) return found;
  yield* close(found.entry);
  throw Object.assign(new Error("The folder of the search was replaced"), { code: "ENOENT" });
}
