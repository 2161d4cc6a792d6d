import { expect, test } from "vitest";
import * as api from "../src/index.js";

test("the package exports these names and no others", () => {
  expect(Object.keys(api).toSorted()).toMatchInlineSnapshot(`
    [
      "ChangedMeanwhileError",
      "Conflict",
      "atPath",
      "demandAsRead",
      "isMissing",
      "openUndo",
      "pathOf",
      "persist",
      "replaceContent",
      "replaceTarget",
      "shortName",
      "struckIfNot",
      "undoFolder",
      "whoIs",
      "withLockedTarget",
      "withLockedTargets",
    ]
  `);
});
