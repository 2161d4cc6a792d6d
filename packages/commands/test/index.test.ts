import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as api from "../src/index.js";
import { openStage } from "./stage.js";

test("the entry exports these names and no others", () => {
  expect(Object.keys(api).sort()).toEqual([
    "body",
    "chunksOf",
    "commandFacts",
    "commandTimes",
    "demandReachable",
    "factsOf",
    "findFile",
    "findTest",
    "headline",
    "keepStream",
    "notStarted",
    "resultOf",
    "runOnce",
    "runWithinLimits",
    "shares",
    "shorten",
    "startManaged",
    "streamsOf",
  ]);
});

test("the example of the README runs", async () => {
  const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
  const [, example = ""] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  const { context } = await openStage();
  const script = example.replace(/import (\{[^}]*\}) from "@llmc\/commands";/, "const $1 = api;");
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the text of the README is what has to run
  const run = new Function("api", "context", `return (async () => {${script}\nreturn stdout;})()`) as (
    ...given: unknown[]
  ) => Promise<string>;
  expect(await run(api, context())).toBe("hello\n");
});
