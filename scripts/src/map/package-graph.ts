import { reach } from "../house/reach.js";
import type { PackageSources } from "../house/sources.js";

/** A package of the map. Names are those of the folders, as in `te-fs`. */
export interface Room {
  readonly name: string;
  readonly dir: string;
  readonly description: string;
  /** 0 for a package that imports no other, else one more than the highest that it imports. */
  readonly layer: number;
  /** Imported packages without those that another imported package reaches. */
  readonly over: readonly string[];
}

/** The packages as their sources import each other, lowest layer first. */
export function packageGraph(packages: readonly PackageSources[]): Room[] {
  const names = new Map(packages.map(({ dir, manifest }) => [manifest.name, nameOf(dir)]));
  const edges = new Map(packages.map((one) => [nameOf(one.dir), importedBy(one, names)]));
  const rooms = packages.map(({ dir, manifest }) => ({
    name: nameOf(dir),
    dir,
    description: String(manifest["description"]),
    layer: layerOf(nameOf(dir), edges),
    over: direct(nameOf(dir), edges),
  }));
  return rooms.toSorted((a, b) => a.layer - b.layer || a.name.localeCompare(b.name, "en"));
}

type Edges = ReadonlyMap<string, readonly string[]>;

const nameOf = (dir: string) => dir.replace(/^.*\//, "");

function importedBy({ files, manifest }: PackageSources, names: ReadonlyMap<string, string>): string[] {
  const imported = files.flatMap(({ packages }) => packages).filter((name) => name !== manifest.name);
  const known = imported.map((name) => names.get(name)).filter((name) => name !== undefined);
  return [...new Set(known)].toSorted();
}

function layerOf(name: string, edges: Edges): number {
  return Math.max(0, ...(edges.get(name) ?? []).map((below) => layerOf(below, edges) + 1));
}

/** Leaves out an edge if a longer way leads to the same package, so that the drawing stays readable. */
function direct(name: string, edges: Edges): string[] {
  const below = edges.get(name) ?? [];
  const further = new Set(below.flatMap((next) => [...reach(next, (from) => edges.get(from) ?? [])]));
  return below.filter((one) => !further.has(one));
}
