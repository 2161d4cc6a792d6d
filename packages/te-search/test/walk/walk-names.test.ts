import { findSearchRoot } from "../../src/search-root/find-search-root.js";
import { expect, test } from "vitest";
import { freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../../../te-fs/test/files.js";
import { walked } from "./walked.js";

test("a walk sees files, folders and links, and counts what it leaves out", async () => {
  const root = plant(freshDir(), {
    "a/b/f": "1",
    "a/.hidden/x": "",
    "a/skip.log": "",
    ".gitignore": "*.log\nout/\n",
    "out/x": "",
    l: { to: "a" },
    f: "",
  });
  const files = filesIn(root);
  const { names: _, ...rest } = await walked(files, await findSearchRoot(files.scope, "."));
  expect(rest).toEqual({
    ended: "whole",
    hidden: 2,
    ignored: 2,
    unreadable: 0,
    closed: 0,
    folders: 3,
    skippedRules: 0,
    ways: ["a/", "a/b/", "a/b/f", "f", "l@"],
  });
});
