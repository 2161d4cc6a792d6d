import { expect, test } from "vitest";
import * as mcp from "../src/index.js";

test("exactly these names are public", () => {
  expect(Object.keys(mcp).toSorted()).toEqual(["createHttpMcp", "createRunning", "refuseRequest", "serveStdio"]);
});
