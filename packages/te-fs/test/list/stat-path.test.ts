import { chmodSync, linkSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { codeOf, freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";

test("tells path as it was spelled, type, size, time and mode", async () => {
  const root = plant(freshDir(), { "d/f": "12345", l: { to: "d" } });
  chmodSync(`${root}/d/f`, 0o6751);
  utimesSync(`${root}/d/f`, 1_700_000_000, 1_700_000_000.25);
  const files = filesIn(root);
  expect(await files.stat("l/f")).toEqual({
    path: `${root}/l/f`,
    real: `${root}/d/f`,
    type: "file",
    size: 5,
    mtimeMs: 1_700_000_000_250,
    mode: 0o6751,
  });
  expect((await files.stat("f", { cwd: `${root}/d` })).path).toBe(`${root}/d/f`);
});

test("what is outside, ours or not there has no facts", async () => {
  const root = plant(freshDir(), { "state/db": "", out: { to: "/etc" } });
  linkSync(`${root}/state/db`, `${root}/hard`);
  const files = filesIn(root, { privatePaths: [`${root}/state`] });
  const paths = ["/etc/passwd", "out", "state/db", "hard", "none"];
  expect(await Promise.all(paths.map((path) => codeOf(files.stat(path))))).toEqual([
    "INVALID_PATH",
    "INVALID_PATH",
    "INVALID_PATH",
    "INVALID_PATH",
    "NOT_FOUND",
  ]);
});
