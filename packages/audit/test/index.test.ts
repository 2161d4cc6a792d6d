import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as api from "../src/index.js";
import { tempDir } from "./fixture.js";

test("the package exports exactly this", () => {
  expect(Object.keys(api).toSorted()).toEqual(["createAudit", "createLogger", "createMask"]);
});

test("importing it loads no database and no query layer; the first record does", () => {
  const program = join(import.meta.dirname, "programs", "loaded-modules.ts");
  const argv = ["--conditions=llmc-source", "--import", "tsx", program, tempDir()];
  const output = execFileSync(process.execPath, argv, { encoding: "utf8" });

  expect(JSON.parse(output)).toEqual({
    afterImport: ["audit/src/index"],
    afterFlush: expect.arrayContaining(["packages/handles", "drizzle-orm"]),
  });
});
