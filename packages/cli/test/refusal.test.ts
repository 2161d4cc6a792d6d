import { ConfigError } from "@llmc/config";
import { EngineUnavailableError, InternalError } from "@llmc/errors";
import { expect, test } from "vitest";
import { refusalOf, StartError } from "../src/index.js";

test("what its starter can mend is one line, whatever was quoted in it", () => {
  expect(refusalOf(new StartError("port 1\nis in use\u009b31m"))).toBe("port 1\\u000ais in use\\u009b31m");
  expect(refusalOf(new ConfigError("a\u2028b"))).not.toContain("\u2028");
  expect(refusalOf(new EngineUnavailableError("the database", "it is newer", "Update."))).toBe(
    "the database is not available: it is newer. Update.",
  );
});

test("a fault of ours is no refusal", () => {
  expect(refusalOf(new InternalError(new Error("x")))).toBeUndefined();
  expect(refusalOf(new TypeError("x"))).toBeUndefined();
});
