import { contains } from "@llmc/te-run";

/** bubblewrap reads the whole table of mounts for each one: 64 take it 10 ms, 256 take 100, 1,000 take 1.7 s. */
const MOST = 300;

export interface Guards {
  /** Read-only. */
  readonly guarded: readonly string[];
  /** Held in their place. */
  readonly pinned: readonly string[];
}

/** The same in fewer mounts: `folded` are to be read-only as a whole, with all roots in them, which is more than was asked for. */
export interface FoldedGuards extends Guards {
  readonly folded: readonly string[];
}

interface Group {
  readonly top: string;
  /** Lies in the command's own folder. */
  readonly isOwn: boolean;
  readonly count: number;
}

/** Never fewer than asked for: where they are too many, whole folders away from the command's, the fullest first. */
export function foldGuards({ guarded, pinned }: Guards, cwd: string, roots: readonly string[]): FoldedGuards {
  const folded: string[] = [];
  let mounts = guarded.length + pinned.length;
  for (const { top, count } of mounts > MOST ? groupsOf([...guarded, ...pinned], cwd, roots) : []) {
    if (mounts <= MOST) break;
    folded.push(top);
    mounts -= count - 1;
  }
  if (mounts > MOST) return { guarded: [], pinned: [], folded: roots };
  const isLeft = (path: string): boolean => !folded.some((top) => contains(top, path));
  return { guarded: guarded.filter(isLeft), pinned: pinned.filter(isLeft), folded };
}

function groupsOf(paths: readonly string[], cwd: string, roots: readonly string[]): Group[] {
  const tops = paths.map((path) => topOf(path, cwd, roots)).filter((top) => top !== undefined);
  const counts = new Map<string, number>();
  for (const top of tops) counts.set(top, (counts.get(top) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([top, count]) => ({ top, count, isOwn: contains(cwd, top) }))
    .toSorted((a, b) => Number(a.isOwn) - Number(b.isOwn) || b.count - a.count);
}

/**
 * The outermost folder that holds the path and not the command's. Of a repository around the command's it can only be that of
 * its submodules; undefined for what else belongs to a folder around it.
 */
function topOf(path: string, cwd: string, roots: readonly string[]): string | undefined {
  const root = deepest(roots, path);
  if (root === undefined || !contains(root, cwd)) return root;
  const names = path.split("/");
  let at = root === "/" ? 1 : root.split("/").length;
  while (at < names.length && contains(names.slice(0, at + 1).join("/"), cwd)) at += 1;
  if (names[at] === ".git") at += names[at + 1] === "modules" ? 1 : names.length;
  return at >= names.length - 1 ? undefined : names.slice(0, at + 1).join("/");
}

function deepest(roots: readonly string[], path: string): string | undefined {
  return roots.filter((root) => contains(root, path)).toSorted((a, b) => b.length - a.length)[0];
}
