import { expect, test } from "vitest";
import * as api from "../src/index.js";

test("the package exports these names and no others", () => {
  expect(Object.keys(api).toSorted()).toMatchInlineSnapshot(`
    [
      "countLines",
      "createLineIndexCache",
      "describeBinary",
      "leftOutOf",
      "nearestPath",
      "openFiles",
      "readBytes",
      "readSlice",
      "selectFirst",
      "selectLevels",
      "sliceText",
    ]
  `);
});
