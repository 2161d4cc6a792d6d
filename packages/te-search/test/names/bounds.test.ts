import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { findFd } from "../../src/names/fd-program.js";
import { enginesAlive, GONE_WITHIN_MS, msUntilGone } from "../alive.js";
import { churn } from "../churn.js";
import { ask, FD, freshDir, HELD_FD, LONG_ENOUGH, namesIn, PLAIN, plantNames, WALK } from "./tree.js";

const LONG = process.env["LLMC_LONG"] === "1";
const fd = await findFd(undefined);
const SETUPS = [
  ["the walk", WALK],
  ["fd", FD],
  ["fd in the cell", HELD_FD],
] as const;
/** To one file no more links can be made than this, on some file systems. */
const MOST_LINKS = 50_000;

/** So many files, a thousand in a folder, as quickly as they can be made. */
function plantMany(root: string, count: number): string {
  for (let nth = 0; nth < count; nth += 1) {
    if (nth % 1000 === 0) mkdirSync(`${root}/${nth / 1000}`);
    if (nth % MOST_LINKS === 0) writeFileSync(`${root}/0-${nth}`, "needle\n");
    linkSync(`${root}/0-${nth - (nth % MOST_LINKS)}`, `${root}/${Math.floor(nth / 1000)}/item-${nth}`);
  }
  return root;
}

test.for(SETUPS)("%s that is cancelled leaves nothing behind within 100 ms", async ([name, setup], { skip }) => {
  if (fd === undefined && name !== "the walk") return skip("fd is not installed");
  const root = plantMany(freshDir(), 30_000);
  const names = namesIn(root, setup);
  await names.engine();

  const took = await msUntilGone(async ({ signal, now }) => {
    let isOver = false;
    const searching = names
      .search({ ...PLAIN, root, pattern: "item" }, { ...LONG_ENOUGH, signal })
      .catch((error: { code: string }) => expect(error.code).toBe("CANCELLED"))
      .finally(() => (isOver = true));
    while (!isOver && name !== "the walk" && enginesAlive().length === 0) await nextTurn();
    if (!isOver) now();
    await searching;
  });

  expect(took).toBeLessThan(GONE_WITHIN_MS);
});

test.for(SETUPS)("%s looks at a tree that changes without failure", async ([name, setup], { skip }) => {
  if (fd === undefined && name !== "the walk") return skip("fd is not installed");
  const root = plantNames(freshDir(), ["stays/x"]);
  const names = namesIn(root, setup);
  const stop = churn(root);
  try {
    for (let nth = 0; nth < (LONG ? 300 : 30); nth += 1) {
      const { hits, exact } = await ask(names, root, { pattern: "x", type: "file" });
      expect([hits.map(({ way }) => way), exact]).toEqual([expect.arrayContaining(["stays/x"]), true]);
    }
  } finally {
    await stop();
  }
});

const MANY = LONG ? 1_000_000 : 20_000;
test(`all of ${MANY} files are found, and the best of them`, { timeout: 300_000 }, async () => {
  const root = plantMany(freshDir(), MANY);
  const matching = Array.from({ length: MANY }, (_, nth) => String(nth)).filter((digits) => digits.startsWith("77"));
  for (const [name, setup] of SETUPS) {
    if (fd === undefined && name !== "the walk") continue;
    const { total, exact, hits } = await ask(namesIn(root, setup), root, { pattern: "item-77", maxKept: 10 });
    expect([name, total, exact, hits[0]?.way]).toEqual([name, matching.length, true, "0/item-77"]);
  }
});
