import { expect, test } from "vitest";
import * as api from "../src/index.js";

test("the package exports these names and no others", () => {
  expect(Object.keys(api).toSorted()).toEqual([
    "compileGlob",
    "countLines",
    "createLineIndexCache",
    "describeBinary",
    "openFiles",
    "pathBytes",
    "readBytes",
    "readSlice",
    "showBelow",
    "showPath",
    "sliceText",
  ]);
});
