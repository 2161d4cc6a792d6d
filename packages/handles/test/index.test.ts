import { join } from "node:path";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import * as entry from "../src/index.js";

test("exports these names and no others", () => {
  expect(Object.keys(entry).toSorted()).toEqual([
    "createHandleStore",
    "driverFolders",
    "isShortName",
    "lineRange",
    "localOwner",
    "openDatabase",
    "readWhole",
    "shortName",
    "storeIfAny",
  ]);
});

test("loads no database and no query layer when it is imported", async () => {
  const build = await rolldown({
    input: join(import.meta.dirname, "../src/index.ts"),
    platform: "node",
    external: /^(better-sqlite3|drizzle-orm)/,
    resolve: { conditionNames: ["llmc-source", "node", "import"], extensionAlias: { ".js": [".ts", ".js"] } },
  });
  const { output } = await build.generate({ format: "esm" });
  await build.close();
  const chunks = output.filter((chunk) => chunk.type === "chunk");
  const entryChunk = chunks.find(({ isEntry }) => isEntry)!;
  const loaded = new Set([entryChunk.fileName]);
  // What is imported without being asked for, and what that imports in turn.
  for (const name of loaded) {
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) loaded.add(imported);
  }
  const packages = [...loaded].filter((name) => !name.endsWith(".js") && !name.startsWith("node:"));
  expect(packages).toEqual([]);
  const everything = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  expect(everything).toEqual(expect.arrayContaining(["better-sqlite3", "drizzle-orm"]));
});
