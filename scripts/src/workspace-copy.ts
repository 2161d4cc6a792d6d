import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { layeredPackages, ROOT, type Manifest, type WorkspacePackage } from "./workspace.js";

const RULE_FILES = [
  ".dependency-cruiser.mjs",
  ".oxlintrc.json",
  "tsconfig.json",
  "tsconfig.base.json",
  "tsconfig.check.json",
];

export interface WorkspaceCopy extends Disposable {
  readonly root: string;
  write(file: string, text: string): void;
  /** Makes `link` lead to `target`, both inside the copy. */
  relink(link: string, target: string): void;
}

/** The sources and rules in a temporary folder, where they may be broken. Dependencies are links to the real ones. */
export function copyWorkspace(): WorkspaceCopy {
  const root = mkdtempSync(join(tmpdir(), "fences-"));
  for (const file of RULE_FILES) cpSync(join(ROOT, file), join(root, file));
  const packages = layeredPackages();
  for (const one of packages) copyPackage(root, one);
  linkEverything(root, packages);
  return {
    root,
    write: (file, text) => {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    },
    relink: (link, target) => {
      rmSync(join(root, link), { force: true });
      mkdirSync(dirname(join(root, link)), { recursive: true });
      symlinkSync(join(root, target), join(root, link));
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

function copyPackage(root: string, { dir }: WorkspacePackage): void {
  for (const part of ["package.json", "tsconfig.json", "src"]) {
    if (existsSync(join(ROOT, dir, part))) cpSync(join(ROOT, dir, part), join(root, dir, part), { recursive: true });
  }
}

// Under pnpm a package sees only what it declares, so a forbidden import would fail as "not found" before any rule on
// layers is asked. Here all packages see all packages and all dependencies: each rule has to stop the import by itself.
function linkEverything(root: string, packages: readonly WorkspacePackage[]): void {
  const modules = join(root, "node_modules");
  for (const { dir, manifest } of packages) linkTo(modules, manifest.name, join(root, dir));
  for (const { dir, manifest } of packages) {
    for (const name of declared(manifest)) linkTo(modules, name, join(ROOT, dir, "node_modules", name));
  }
  // The linter looks for its type-aware half in the .bin of the folder that it runs in.
  linkTo(modules, ".bin", join(ROOT, "node_modules/.bin"));
  for (const name of names(join(ROOT, "node_modules"))) linkTo(modules, name, join(ROOT, "node_modules", name));
}

function declared({ dependencies, devDependencies, optionalDependencies }: Manifest): string[] {
  return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
}

function linkTo(modules: string, name: string, target: string): void {
  const link = join(modules, name);
  if (existsSync(link) || !existsSync(target)) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(target, link);
}

function names(modules: string): string[] {
  return readdirSync(modules).flatMap((entry) => {
    if (entry.startsWith(".")) return [];
    return entry.startsWith("@")
      ? readdirSync(join(modules, entry)).map((name) => `${entry}/${basename(name)}`)
      : [entry];
  });
}
