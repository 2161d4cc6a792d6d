import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../..");

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export interface WorkspacePackage {
  /** Relative to the root, as in `packages/errors`. */
  readonly dir: string;
  readonly manifest: Manifest;
}

/** Every package of the workspace, whatever exists today: the folders that pnpm-workspace.yaml names. */
export function workspacePackages(root = ROOT): WorkspacePackage[] {
  const dirs = [...below(root, "packages"), ...below(root, "apps"), "scripts", "bench", "test/e2e"];
  return dirs
    .filter((dir) => existsSync(join(root, dir, "package.json")))
    .map((dir) => ({ dir, manifest: readManifest(join(root, dir)) }));
}

export function publicPackages(root = ROOT): WorkspacePackage[] {
  return workspacePackages(root).filter(({ manifest }) => manifest.private !== true);
}

/** The packages that the fences are about. */
export function layeredPackages(root = ROOT): WorkspacePackage[] {
  return workspacePackages(root).filter(({ dir }) => /^(packages|apps)\//.test(dir));
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

function below(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder))
    .toSorted()
    .map((name) => `${folder}/${name}`);
}
