import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Returns the version of the npm package that code in a folder would import, or null. */
export function packageVersion(name: string, from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, "node_modules", name, "package.json");
    if (existsSync(file)) return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
    if (folder === dirname(folder)) return null;
  }
}
