import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { driverFolders } from "../../src/index.js";

test("names the folders of the driver and of what it loads, where they really lie", () => {
  const folders = driverFolders();
  expect(folders.map((folder) => folder.split("/").at(-1))).toEqual(["better-sqlite3", "bindings", "file-uri-to-path"]);
  for (const folder of folders) expect(existsSync(join(folder, "package.json"))).toBe(true);
});
