import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshDir } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";

const LINES = 60;

function* oneToSixty(): Generator<number> {
  for (let line = 0; line < LINES; line++) yield line;
}

// Servers of two users, or one in a container: their locks do not meet.
test("changes of one file by servers with different data folders are not lost", async () => {
  const root = freshDir();
  const path = join(root, "f");
  writeFileSync(path, [...oneToSixty()].map((line) => `line ${line}.\n`).join(""));
  const servers = [filesIn(root, { stateDir: freshDir() }), filesIn(root, { stateDir: freshDir() })];
  const patch = async (line: number): Promise<unknown> =>
    await servers[line % 2]?.patch("f", {
      owner: "o",
      session: `s${line % 2}`,
      edits: [{ oldText: `line ${line}.`, newText: `done ${line}.` }],
      maxBytes: 1_000_000,
    });
  await Promise.all([...oneToSixty()].map(patch));
  expect(readFileSync(path, "utf8")).toBe([...oneToSixty()].map((line) => `done ${line}.\n`).join(""));
});
