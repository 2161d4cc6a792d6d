import { expect, test } from "vitest";
import * as api from "../src/index.js";

test("the package exports these names and no others", () => {
  expect(Object.keys(api).toSorted()).toMatchInlineSnapshot(`
    [
      "ChangedMeanwhileError",
      "Conflict",
      "atPath",
      "isMissing",
      "openUndo",
      "pathOf",
      "persist",
      "replaceFile",
      "struckIfNot",
      "undoFolder",
      "whoIs",
      "withLockedTarget",
      "withLockedTargets",
    ]
  `);
});
