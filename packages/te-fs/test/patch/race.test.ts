import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import type { Files } from "../../src/index.js";
import { raceFor, raceUntilOutside, swappedRoot, type SwappedRoot } from "../../../te-path/test/swapped-root.js";
import { filesIn } from "../files.js";

const me = { owner: "o", session: "s", maxBytes: 100_000 };

interface Race {
  readonly ours: (files: Files, turn: number) => Promise<unknown>;
  /** What servers do that judge a string: it must lose, or the race proves nothing. */
  readonly double: (root: SwappedRoot, turn: number) => void;
}

/** The text is put back and forth, so that the next turn finds something to do whichever name it met. */
const turned = (turn: number): readonly [string, string] =>
  turn % 4 < 2 ? ["inside", "INSIDE"] : ["INSIDE", "inside"];

function patchJudged({ root }: SwappedRoot, path: string): void {
  const real = realpathSync(dirname(`${root}/${path}`));
  if (real !== root && !real.startsWith(`${root}/`)) throw new Error("outside");
  writeFileSync(`${root}/${path}`, `${readFileSync(`${root}/${path}`, "utf8")}!`);
}

const nameOf = (turn: number): string => (turn % 2 === 0 ? "box/secret" : "file");

const RACES: Record<string, Race> = {
  "a patch": {
    ours: (files, turn) => {
      const [oldText, newText] = turned(turn);
      return files.patch(nameOf(turn), { ...me, edits: [{ oldText, newText }] });
    },
    double: (root, turn) => patchJudged(root, nameOf(turn)),
  },
  "a diff": {
    ours: (files, turn) => {
      const [before, after] = turned(turn);
      const name = nameOf(turn);
      const change = `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-${before}\n\\ No newline at end of file\n+${after}\n\\ No newline at end of file\n`;
      return files.applyDiff(`${change}--- /dev/null\n+++ b/box/new${turn}\n@@ -0,0 +1 @@\n+x\n`, me);
    },
    double: (root, turn) => patchJudged(root, nameOf(turn)),
  },
};

test.for(Object.entries(RACES))(
  "%s never leads out while folders and files are swapped with links",
  { timeout: 120_000 },
  async ([, race]) => {
    const root = swappedRoot();
    const files = filesIn(root.root);
    const { done } = await raceFor(root, (turn) => race.ours(files, turn));
    expect(root.outsideNow()).toBe("secret=OUTSIDE");
    expect(done).toBeGreaterThan(20);
  },
);

test("a patch after a look at the real path does lead out", { timeout: 120_000 }, async () => {
  const root = swappedRoot();
  expect(await raceUntilOutside(root, (turn) => RACES["a patch"]?.double(root, turn))).not.toBe("secret=OUTSIDE");
});
