import { expect, test } from "vitest";
import * as programs from "../src/index.js";

test("the package exports exactly this", () => {
  expect(Object.keys(programs).toSorted()).toEqual([
    "Head",
    "OutputReader",
    "ProcessTree",
    "bubblewrapCell",
    "buildEnv",
    "contains",
    "dieWithParent",
    "drain",
    "endTree",
    "errnoOf",
    "findProgram",
    "folderProblem",
    "inheritedDescriptors",
    "isDead",
    "makePipes",
    "openPipes",
    "packageVersion",
    "pathFolders",
    "readStat",
    "run",
    "start",
    "textOf",
    "wholeBytes",
    "whyMissing",
  ]);
});
