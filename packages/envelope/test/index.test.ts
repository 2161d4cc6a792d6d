import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinuxOps } from "@llmc/linux-ops";
import { expect, test } from "vitest";
import * as api from "../src/index.js";
import { freshFolder } from "./stage.js";

test("the entry exports these names and no others", () => {
  expect(Object.keys(api).sort()).toEqual([
    "checkFilters",
    "digest",
    "envelopeModule",
    "openFilters",
    "recognisers",
    "tell",
  ]);
});

test("the example of the README runs", async () => {
  const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
  const [, example = ""] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  const script = example
    .replace(/import (\{[^}]*\}) from "@llmc\/envelope";/, "const $1 = api;")
    .replace(/import (\{[^}]*\}) from "@llmc\/linux-ops";/, "const $1 = ops_;");
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the text of the README is what has to run
  const run = new Function(
    "api",
    "ops_",
    "folder",
    `return (async () => {${script}\nreturn { exit_code, stdout };})()`,
  ) as (...given: unknown[]) => Promise<object>;
  expect(await run(api, { createLinuxOps }, freshFolder())).toEqual({ exit_code: 0, stdout: "hello\n" });
});
