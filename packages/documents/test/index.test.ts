import { expect, test } from "vitest";
import * as api from "../src/index.js";

test("the package exports exactly this", () => {
  expect(Object.keys(api).toSorted()).toEqual([
    "MAGIC_BYTES",
    "MAX_PAGES",
    "MAX_SCALED_BYTES",
    "MAX_TEXT_BYTES",
    "createTurns",
    "extractPages",
    "imageFormat",
    "imageScaler",
    "joinPages",
    "pdfProgram",
    "unpdfProgram",
  ]);
});
