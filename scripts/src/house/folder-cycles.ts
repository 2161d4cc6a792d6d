import { dirname } from "node:path";
import { reach } from "./reach.js";
import type { Source } from "./sources.js";

/**
 * Groups of sibling folders that import each other in a circle, at every depth, as in `{limits sandbox}` or
 * `sandbox/{mounts seccomp}`. Files that lie beside the folders do not count, because an entry imports all folders.
 */
export function folderCycles(files: readonly Source[]): string[] {
  return parents(files).flatMap((parent) => {
    const cycles = cyclesAmong(siblingEdges(files, parent));
    return cycles.map((group) => `${parent}{${group.join(" ")}}`);
  });
}

/** Every folder that has folders, as a prefix: `""` is src, then `sandbox/`, and so on. */
function parents(files: readonly Source[]): string[] {
  const prefixes = files.flatMap(({ path }) => {
    const parts = dirname(path).split("/");
    return parts.map((_, depth) => parts.slice(0, depth).join("/"));
  });
  return [...new Set(prefixes)].toSorted().map((prefix) => (prefix === "" ? "" : `${prefix}/`));
}

function siblingEdges(files: readonly Source[], parent: string): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    const from = folderBelow(parent, path);
    if (from === undefined) continue;
    const known = edges.get(from) ?? new Set<string>();
    const targets = imports.map((to) => folderBelow(parent, to)).filter((to) => to !== undefined);
    edges.set(from, new Set([...known, ...targets.filter((to) => to !== from)]));
  }
  return edges;
}

/** `limits` for `limits/cgroups.ts` below `""`; undefined for a file that is not in a folder below `parent`. */
function folderBelow(parent: string, path: string): string | undefined {
  if (!path.startsWith(parent)) return undefined;
  const parts = path.slice(parent.length).split("/");
  return parts.length > 1 && parts[0] !== ".." ? parts[0] : undefined;
}

function cyclesAmong(edges: ReadonlyMap<string, Set<string>>): string[][] {
  const reached = new Map([...edges.keys()].map((name) => [name, reach(name, (from) => edges.get(from) ?? [])]));
  const groups = [...reached].flatMap(([name, all]) =>
    all.has(name) ? [[...all].filter((other) => reached.get(other)?.has(name)).toSorted()] : [],
  );
  return groups.filter((group, index) => groups.findIndex((same) => same.join() === group.join()) === index);
}
