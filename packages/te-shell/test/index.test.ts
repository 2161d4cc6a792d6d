import { expect, test } from "vitest";
import * as shell from "../src/index.js";

test("the package exports exactly this", () => {
  expect(Object.keys(shell).toSorted()).toEqual([
    "KeptOutput",
    "RunningCommand",
    "commandPolicy",
    "machineTopic",
    "openCommands",
    "plainOutput",
    "plainText",
    "splitCommand",
  ]);
});
