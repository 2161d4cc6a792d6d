import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathsRead } from "./property-paths.js";
import { layeredPackages, ROOT } from "./workspace.js";

/** What all sources together read, but for the package that defines the settings. */
export function pathsReadOutsideConfig(root = ROOT): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { dir } of layeredPackages(root)) {
    if (dir === "packages/config") continue;
    for (const file of typescriptBelow(join(root, dir, "src"))) {
      for (const path of pathsRead(file, readFileSync(file, "utf8"))) found.add(path);
    }
  }
  return found;
}

function typescriptBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}
