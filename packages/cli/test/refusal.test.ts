import { ConfigError } from "@llmc/config";
import { EngineUnavailableError, InternalError } from "@llmc/errors";
import { expect, test } from "vitest";
import { refusalsOf, StartError } from "../src/index.js";

test("what its starter can mend is one line, whatever was quoted in it", () => {
  expect(refusalsOf(new StartError("port 1\nis in use\u009b31m"))).toEqual(["port 1\\u000ais in use\\u009b31m"]);
  expect(refusalsOf(new ConfigError("a\u2028b"))?.join("")).not.toContain("\u2028");
  expect(refusalsOf(new EngineUnavailableError("the database", "it is newer", "Update."))).toEqual([
    "the database is not available: it is newer. Update.",
  ]);
});

test("a configuration with several faults is a line for each", () => {
  expect(refusalsOf(new ConfigError("one").with([new ConfigError("two"), new ConfigError("three")]))).toEqual([
    "one",
    "two",
    "three",
  ]);
});

test("a fault of ours is no refusal", () => {
  expect(refusalsOf(new InternalError(new Error("x")))).toBeUndefined();
  expect(refusalsOf(new TypeError("x"))).toBeUndefined();
});
