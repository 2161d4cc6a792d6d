import { readdirSync, realpathSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import type { Listing } from "../../src/index.js";
import { RACE, raceFor, swappedRoot } from "../../../te-path/test/swapped-root.js";
import { freshDir } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";
import { list } from "./listed.js";

const OUTSIDE = "only-outside";

function namesIn({ folders }: Listing): string[] {
  return folders.flatMap(({ entries }) => entries.map(({ name }) => name));
}

/** Outside, `secret` is one byte longer than inside. */
function sizesIn({ folders }: Listing): number[] {
  return folders.flatMap(({ entries }) => entries.flatMap(({ name, size }) => (name === "secret" ? (size ?? -1) : [])));
}

test("nothing from outside is listed while folders are swapped with links out", { timeout: 120_000 }, async () => {
  const race = swappedRoot();
  writeFileSync(`${race.outside}/${OUTSIDE}`, "");
  const files = filesIn(race.root);
  const seen = { names: new Set<string>(), sizes: new Set<number>() };
  const { done, refused } = await raceFor(race, async (turn) => {
    const listing = await list(files, turn % 2 === 0 ? "." : "box", { respectGitignore: turn % 4 === 0 });
    for (const name of namesIn(listing)) seen.names.add(name);
    for (const size of sizesIn(listing)) seen.sizes.add(size);
  });
  expect([seen.names.has(OUTSIDE), [...seen.sizes]]).toEqual([false, [6]]);
  // Both sides of the race were met: the folder as such, and the link in its place.
  expect([seen.names.has("box"), done > 20, refused > 0]).toEqual([true, true, true]);
});

test("judging the real path and listing the path then does show it, so the swapping is a real test", async () => {
  const race = swappedRoot();
  writeFileSync(`${race.outside}/${OUTSIDE}`, "");
  const path = `${race.root}/box`;
  let escaped = false;
  const end = performance.now() + 60_000;
  for (let turn = 0; !escaped && performance.now() < end; turn += 1) {
    try {
      if (realpathSync(path).startsWith(`${race.root}/`)) escaped = readdirSync(path).includes(OUTSIDE);
    } catch {
      // It was moved away for a moment.
    }
    if (turn % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(escaped).toBe(true);
});

const CHURN = `
const { mkdirSync, rmSync, writeFileSync } = require("node:fs");
const { workerData: { dir, shared } } = require("node:worker_threads");
const flags = new Int32Array(shared);
while (Atomics.load(flags, 0) === 0) {
  for (const name of ["a", "b"]) {
    mkdirSync(dir + "/" + name + "/deep", { recursive: true });
    writeFileSync(dir + "/" + name + "/deep/f", "");
    rmSync(dir + "/" + name, { recursive: true, force: true });
  }
  Atomics.add(flags, 1, 1);
}
`;

test("folders that come and go while they are listed are no failure", { timeout: 120_000 }, async () => {
  const dir = freshDir();
  const shared = new SharedArrayBuffer(8);
  const flags = new Int32Array(shared);
  const worker = new Worker(CHURN, { eval: true, workerData: { dir, shared } });
  onTestFinished(async () => {
    Atomics.store(flags, 0, 1);
    await new Promise((resolve) => worker.once("exit", resolve));
  });
  const files = filesIn(dir);
  const problems: unknown[] = [];
  let [met, missed] = [0, 0];
  const end = performance.now() + RACE.seconds * 1000;
  while (performance.now() < end || Math.min(met, missed) === 0) {
    const { folders, total } = await list(files, dir);
    problems.push(...folders.flatMap(({ entries }) => entries.flatMap(({ problem }) => problem ?? [])));
    if (total > 0) met += 1;
    else missed += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(problems).toEqual([]);
});
