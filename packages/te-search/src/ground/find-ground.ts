import type { ClosedPath, Ground, GroundOptions } from "./ground.js";
import { InvalidPathError } from "@llmc/errors";
import {
  type OpenScope,
  FDS,
  kindOf,
  close,
  hasCode,
  lstat,
  open,
  type Descriptor,
  type Stat,
  type Steps,
  READ_FILE,
  READ_FOLDER,
  walk,
  type Tree,
} from "@llmc/te-path";
import { type Bytes, type Asked, contains, show } from "@llmc/names";

export async function findGround(scope: OpenScope, path: string, { cwd, signal }: GroundOptions = {}): Promise<Ground> {
  const asked = scope.ask(path, cwd);
  return await scope.run(groundSteps(scope, asked), asked.shown, signal);
}

function* groundSteps(tree: Tree, asked: Asked): Steps<Ground> {
  const { entry, stat, real } = yield* walk(tree, asked);
  let kind: Ground["kind"];
  try {
    kind = searchable(stat, asked.shown);
    yield* mayRead(entry, kind);
  } finally {
    yield* close(entry);
  }
  const { root, closed } = rootAround(tree, real);
  return {
    path: asked.shown,
    kind,
    real,
    root: { path: show(root.path), real: root.real },
    closed: yield* kindsOf(tree, closed),
    hasAliases: yield* tree.closed.hasLinks(tree.mounts.network(real)),
  };
}

function searchable(stat: Stat, shown: string): Ground["kind"] {
  const kind = kindOf(stat);
  if (kind === "file" || kind === "folder") return kind;
  throw new InvalidPathError(
    shown,
    `is a ${kind === "fifo" ? "FIFO" : kind}, not a file or a folder`,
    "Search the folder that it lies in.",
  );
}

/** Throws what reading it would. */
function* mayRead({ fd, mount }: Descriptor, kind: Ground["kind"]): Steps<void> {
  yield* close(yield* open(mount, `${FDS}/${fd}`, kind === "file" ? READ_FILE : READ_FOLDER));
}

/** A root that lies in credentials is a root of its own: from those around it nothing leads there. */
function rootAround(tree: Tree, real: Bytes): { root: Tree["roots"][number]; closed: ReadonlySet<Bytes> } {
  const around = tree.roots
    .filter((root) => contains(root.real, real))
    .toSorted((a, b) => a.real.length - b.real.length)
    .map((root) => ({ root, closed: tree.closed.shutBelow(root.real, tree.roots) }));
  const open = around.find(({ closed }) => ![...closed].some((path) => contains(path, real)));
  return (open ?? around.at(-1)) as { root: Tree["roots"][number]; closed: ReadonlySet<Bytes> };
}

function* kindsOf({ mounts }: Tree, paths: ReadonlySet<Bytes>): Steps<ClosedPath[]> {
  const closed: ClosedPath[] = [];
  for (const real of paths) closed.push({ real, kind: yield* kindAt(mounts.network(real), real) });
  return closed;
}

function* kindAt(mount: Bytes | null, real: Bytes): Steps<ClosedPath["kind"]> {
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

/** The ground itself, held by an O_PATH descriptor; an error where another thing has its place by now. */
export function* enterGround(
  tree: Tree,
  { real, path, kind }: Pick<Ground, "real" | "path" | "kind">,
): Steps<{ readonly entry: Descriptor; readonly stat: Stat }> {
  const found = yield* walk(tree, { path: real, shown: path, folder: kind === "folder" });
  if (found.real === real && kindOf(found.stat) === kind) return found;
  yield* close(found.entry);
  throw Object.assign(new Error("The ground of the search was replaced"), { code: "ENOENT" });
}
