import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
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

/** The folder that is swapped, wherever it is. */
function boxOf(root: string): string {
  for (;;) {
    try {
      return `/proc/self/fd/${openSync(`${root}/box.real`, constants.O_DIRECTORY | constants.O_RDONLY)}`;
    } catch {
      // Swapped away at the moment.
    }
  }
}

test(
  "a move never brings anything in or out while its folders are swapped with links",
  { timeout: 120_000 },
  async () => {
    const root = swappedRoot();
    const files = filesIn(root.root);
    const box = boxOf(root.root);
    const stolen = new Set<string>();
    const { done, refused } = await raceFor(root, async (turn) => {
      writeFileSync(`${box}/secret`, "inside");
      writeFileSync(`${root.root}/mine`, "inside");
      rmSync(`${root.root}/got`, { force: true });
      if (turn % 2 === 0) await files.move("mine", `box/new${turn % 8}`, { ...me, overwrite: true });
      else {
        await files.move("box/secret", "got", me);
        stolen.add(readFileSync(`${root.root}/got`, "utf8"));
      }
    });
    expect([root.outsideNow(), [...stolen]]).toEqual(["secret=OUTSIDE", ["inside"]]);
    expect([done > 20, refused > 20]).toEqual([true, true]);
  },
);

test("a move after a look at the real path does bring something out", { timeout: 120_000 }, async () => {
  const root = swappedRoot();
  const escaped = await raceUntilOutside(root, () => {
    writeFileSync(`${root.root}/mine`, "inside");
    renameSync(`${root.root}/mine`, judged(root.root, "box/new"));
  });
  expect(escaped).toBe("new secret=OUTSIDE");
});

/** What the copy has under the name that was swapped. */
function contentsOf(copy: string): string[] {
  const box = `${copy}/box`;
  if (!existsSync(copy) || !lstatSync(copy).isDirectory()) return [];
  const found = lstatSync(box, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return [];
  return readdirSync(box)
    .filter((name) => name === "secret")
    .map(() => readFileSync(`${box}/secret`, "utf8"));
}

test(
  "a copy never holds what lies outside while a folder in its source is swapped with a link",
  { timeout: 120_000 },
  async () => {
    const root = swappedTree();
    const files = filesIn(root.root);
    const copied = new Set<string>();
    root.grow();
    const { done } = await raceFor(root, async (turn) => {
      rmSync(`${root.root}/copy`, { recursive: true, force: true });
      await files.copy(turn % 2 === 0 ? "tree" : "tree/box", "copy", me);
      for (const content of [...contentsOf(`${root.root}/copy`), ...topOf(`${root.root}/copy`)]) copied.add(content);
    });
    expect([root.outsideNow(), [...copied]]).toEqual(["secret=OUTSIDE", ["inside"]]);
    expect(done).toBeGreaterThan(20);
  },
);

function topOf(copy: string): string[] {
  const path = `${copy}/secret`;
  return lstatSync(copy).isDirectory() && existsSync(path) ? [readFileSync(path, "utf8")] : [];
}

test("a copy that goes by paths does hold it", { timeout: 120_000 }, async () => {
  const root = swappedTree();
  root.grow();
  let got = "";
  const end = performance.now() + 60_000;
  while (got !== "OUTSIDE" && performance.now() < end) {
    try {
      copyFileSync(judged(root.root, "tree/box/secret"), `${root.root}/got`);
      got = readFileSync(`${root.root}/got`, "utf8");
    } catch {
      // Refused, or lost its way.
    }
  }
  expect(got).toBe("OUTSIDE");
});

test("a copy stays inside while folders of its target are swapped with links", { timeout: 120_000 }, async () => {
  const root = swappedRoot();
  const files = filesIn(root.root);
  const box = boxOf(root.root);
  writeFileSync(`${box}/secret`, "inside");
  const { done, refused } = await raceFor(root, (turn) =>
    files.copy("file", `box/new${turn % 8}`, { ...me, overwrite: true }),
  );
  expect(root.outsideNow()).toBe("secret=OUTSIDE");
  expect([done > 20, refused > 20]).toEqual([true, true]);
});
