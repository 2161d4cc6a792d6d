import { expect, test } from "vitest";
import { GROUP_NAMES } from "../src/group-names.js";
import { optionsOf } from "../src/options.js";

test("without arguments everything is measured in full", () => {
  expect(optionsOf([])).toEqual({ quick: false, only: GROUP_NAMES, peers: true, add: false });
});

test("groups are run in their own order, whatever order they were asked for in", () => {
  expect(optionsOf(["--quick", "--", "--only", "read,start", "--no-peers"])).toEqual({
    quick: true,
    only: ["start", "read"],
    peers: false,
    add: false,
  });
});

test.for([
  [["--only", "raed"], "--only raed: the groups are"],
  [["--only"], "--only : the groups are"],
  [["--fast"], "--fast is no option"],
  [["start"], "start is no option"],
] as const)("%j is refused", ([args, message]) => {
  expect(() => optionsOf(args)).toThrow(message);
});
