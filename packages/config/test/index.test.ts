import { expect, test } from "vitest";
import * as api from "../src/index.js";

test("exports these names and no others", () => {
  expect(Object.keys(api).toSorted()).toEqual([
    "ConfigError",
    "OWN_KEYS",
    "TOOLSETS",
    "changedSettings",
    "configDocs",
    "configKeys",
    "demandDataDir",
    "exampleToml",
    "isLoopback",
    "loadConfig",
    "mcpSchema",
    "printToml",
    "redacted",
    "resolveToken",
    "settingsOf",
    "tokenAuditFile",
  ]);
});
