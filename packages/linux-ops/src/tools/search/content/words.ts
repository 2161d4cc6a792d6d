import { posix } from "node:path";
import { asAsked } from "../../../answer/header.js";
import { grouped } from "../../../answer/line.js";

/** 1 hit, 1,234 hits. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

export interface LeftOutCounts {
  readonly ignored?: number | undefined;
  readonly hidden?: number | undefined;
  readonly binary?: number | undefined;
  readonly unreadable?: number | undefined;
  readonly changed?: number | undefined;
  readonly at_least?: true | undefined;
}

/** `left out: 300 ignored, 12 hidden`; with `ways` also how to have them. */
export function leftOutNote(leftOut: LeftOutCounts, { ways }: { readonly ways: boolean }): string | undefined {
  const { ignored = 0, hidden = 0, binary = 0, unreadable = 0, changed = 0, at_least } = leftOut;
  const parts = [
    ...(ignored > 0 ? [`${grouped(ignored)} ignored${ways ? " (searched when named as root)" : ""}`] : []),
    ...(hidden > 0 ? [`${grouped(hidden)} hidden${ways ? " (include_hidden=true)" : ""}`] : []),
    ...(binary > 0 ? [`${grouped(binary)} binary${ways ? " (grep -a)" : ""}`] : []),
    ...(unreadable > 0 ? [`${grouped(unreadable)} unreadable`] : []),
    ...(changed > 0 ? [`${counted(changed, "hit")} gone meanwhile`] : []),
  ];
  if (parts.length === 0) return undefined;
  return `left out: ${at_least === true ? "at least " : ""}${parts.join(", ")}`;
}

/** Counts that say something. */
export function present<T extends LeftOutCounts>(counts: T): T | undefined {
  const entries = Object.entries(counts).filter(
    ([key, value]) => key !== "at_least" && typeof value === "number" && value > 0,
  );
  if (entries.length === 0) return undefined;
  return { ...Object.fromEntries(entries), ...(counts.at_least === true ? { at_least: true } : {}) } as T;
}

export interface AskedRoot {
  readonly root?: string | undefined;
  readonly path?: string | undefined;
}

export interface ShownPaths {
  /** The header names a root that is absolute; paths below a relative one can be passed on as they are. */
  readonly head: readonly string[];
  readonly of: (path: string) => string;
}

/** Chooses how hits are named: below the root as the caller wrote it, or below the root in the header. */
export function shownPaths(root: string, { root: asked, path: other }: AskedRoot): ShownPaths {
  const written = asAsked(other ?? asked, root);
  const folder = written === "." ? "" : `${written}/`;
  const below = (path: string) => path.slice(root === "/" ? 1 : root.length + 1);
  if (written === root) return { head: [root], of: (path) => (path === root ? posix.basename(path) : below(path)) };
  return { head: [], of: (path) => (path === root ? written : `${folder}${below(path)}`) };
}
