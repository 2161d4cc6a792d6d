import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { rolldown } from "rolldown";

const PACKAGE = join(import.meta.dirname, "..");

/** Bundles a file as the executables are, into a folder from which this package's own dependencies are found. */
export async function bundle(entry: string, dir: string): Promise<string> {
  const build = await rolldown({
    input: join(PACKAGE, entry),
    platform: "node",
    external: ["better-sqlite3"],
    resolve: { conditionNames: ["llmc-source", "node", "import"], extensionAlias: { ".js": [".ts", ".js"] } },
  });
  await build.write({ dir, format: "esm", entryFileNames: "main.mjs", chunkFileNames: "[name]-[hash].mjs" });
  await build.close();
  await symlink(join(PACKAGE, "node_modules"), join(dir, "node_modules"));
  return join(dir, "main.mjs");
}
