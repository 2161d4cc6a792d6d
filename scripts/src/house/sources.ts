import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import ts from "typescript";
import { layeredPackages, ROOT, type WorkspacePackage } from "../workspace.js";

/** One TypeScript file below the `src` of a package or an app. */
export interface Source {
  /** Relative to `src`, as in `process/identity.ts`. */
  readonly path: string;
  readonly text: string;
  /** Line ends, as `wc -l` counts them. */
  readonly lines: number;
  /** Files of the same package that it imports, relative to `src`. */
  readonly imports: readonly string[];
  /** Other packages of the workspace that it imports, by name, as in `@llmc/errors`. */
  readonly packages: readonly string[];
}

export interface PackageSources extends WorkspacePackage {
  readonly files: readonly Source[];
}

/** Reads every source of every package and app that has one. */
export function readSources(root = ROOT): PackageSources[] {
  return layeredPackages(root)
    .filter(({ dir }) => existsSync(join(root, dir, "src")))
    .map((one) => ({ ...one, files: readFolder(join(root, one.dir, "src")) }))
    .filter(({ files }) => files.length > 0);
}

function readFolder(src: string): Source[] {
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .toSorted()
    .map((path) => readSource(path, readFileSync(join(src, path), "utf8")));
}

/** Reads the facts for the figures from a source. TypeScript finds the imports: values, types, `import()`. */
export function readSource(path: string, text: string): Source {
  const names = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
  const own = names.filter((name) => name.startsWith("."));
  return {
    path,
    text,
    lines: text.split("\n").length - 1,
    imports: unique(own.map((name) => posix.join(posix.dirname(path), name).replace(/\.js$/, ".ts"))),
    packages: unique(names.filter((name) => name.startsWith("@llmc/"))),
  };
}

const unique = (names: readonly string[]) => [...new Set(names)];
