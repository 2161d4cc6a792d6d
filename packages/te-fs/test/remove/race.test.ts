import {
  constants,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { raceFor, raceUntilOutside, swappedRoot } from "../../../te-path/test/swapped-root.js";
import { swappedTree } from "../../../te-path/test/swapped-tree.js";
import { filesIn } from "../files.js";

const me = { owner: "o", session: "s" };

/** What servers do that judge a string: it must lose, or the race proves nothing. */
function judged(root: string, path: string): string {
  const real = realpathSync(dirname(`${root}/${path}`));
  if (real !== root && !real.startsWith(`${root}/`)) throw new Error("outside");
  return `${root}/${path}`;
}

/** Puts the file in the folder that is swapped back, wherever that is. */
function refiller(root: string): () => void {
  const box = openSync(`${root}/box.real`, constants.O_DIRECTORY | constants.O_RDONLY);
  return () => writeFileSync(`/proc/self/fd/${box}/secret`, "inside");
}

function patient<T>(work: () => T): T {
  for (;;) {
    try {
      return work();
    } catch {
      // Swapped away at the moment.
    }
  }
}

test("a delete never leads out while its folder is swapped with a link", { timeout: 120_000 }, async () => {
  const root = swappedRoot();
  const files = filesIn(root.root);
  const refill = patient(() => refiller(root.root));
  const { done, refused } = await raceFor(root, async (turn) => {
    refill();
    await files.remove(turn % 8 === 0 ? "box/no" : "box/secret", { ...me, recursive: true });
  });
  expect(root.outsideNow()).toBe("secret=OUTSIDE");
  expect([done > 20, refused > 20]).toEqual([true, true]);
});

test("a delete after a look at the real path does lead out", { timeout: 120_000 }, async () => {
  const root = swappedRoot();
  expect(await raceUntilOutside(root, () => unlinkSync(judged(root.root, "box/secret")))).toBe("");
});

test(
  "a recursive delete never leads out while a folder in the tree is swapped with a link",
  { timeout: 120_000 },
  async () => {
    const root = swappedTree();
    const files = filesIn(root.root);
    const { done } = await raceFor(root, async () => {
      root.clear();
      root.grow();
      await files.remove("tree", { ...me, recursive: true, secure: true });
    });
    expect(root.outsideNow()).toBe("secret=OUTSIDE");
    expect(done).toBeGreaterThan(20);
  },
);

/** As it is mostly done: look what it is, then go in by its path. */
function removeByPath(path: string): void {
  if (!lstatSync(path).isDirectory()) return unlinkSync(path);
  for (const name of readdirSync(path)) removeByPath(`${path}/${name}`);
  rmdirSync(path);
}

test("a recursive delete that goes by paths does lead out", { timeout: 120_000 }, async () => {
  const root = swappedTree();
  const escaped = await raceUntilOutside(root, () => {
    root.clear();
    root.grow();
    removeByPath(judged(root.root, "tree"));
  });
  expect(escaped).toBe("");
});
