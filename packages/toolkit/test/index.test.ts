import { expect, test } from "vitest";
import * as api from "../src/index.js";

test("the entry exports these names and no others", () => {
  expect(Object.keys(api).sort()).toEqual([
    "confirm",
    "correlationIdFrom",
    "createAccess",
    "createDispatcher",
    "deadline",
    "describeTool",
    "estimateTokens",
    "gate",
    "inputSchemaOf",
    "limit",
    "nearestName",
    "observe",
    "outputSchemaOf",
    "parseArguments",
    "sessionKey",
    "toolFactory",
    "toolModule",
    "wireName",
  ]);
});
