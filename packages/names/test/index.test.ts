import { expect, test } from "vitest";
import * as api from "../src/index.js";

test("the package exports these names and no others", () => {
  expect(Object.keys(api).toSorted()).toMatchInlineSnapshot(`
    [
      "NOTHING_IGNORED",
      "RuleRoom",
      "compileGlob",
      "contains",
      "displayBelow",
      "displayPath",
      "folderOf",
      "join",
      "namesOf",
      "normalizePath",
      "parseRequestedPath",
      "pathBytes",
      "rulesIn",
      "textOf",
      "toBytes",
      "unescapeName",
    ]
  `);
});
