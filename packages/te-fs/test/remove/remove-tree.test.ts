import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removePath } from "../one-path.js";
import { removeTree } from "../../../te-path/src/tree/remove-tree.js";
import { Progress } from "../../../te-path/src/tree/progress.js";
import { hold, runHere } from "../../../te-path/test/run-here.js";
import { failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { ME, workshop } from "../workshop.js";

/** Calls back before each entry is counted. */
function watched(each: (removed: number) => void): { progress: Progress; tally: { removed: number } } {
  const tally = { removed: 0 };
  const progress = new Progress(() => each(tally.removed), -1);
  return { progress, tally };
}

const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`d/${at % 5}/${at}`, ""]));

test("what somebody else removes meanwhile is no failure, and is not counted", async () => {
  const root = plant(freshDir(), many);
  const { progress, tally } = watched((removed) => {
    if (removed === 3) rmSync(join(root, "d/0"), { recursive: true, force: true });
    if (removed === 20) execFileSync("rm", ["-rf", join(root, "d")]);
  });
  await runHere(removeTree({ parent: hold(root), name: "d" }, { shown: "d", tally, progress }));
  expect({ left: readdirSync(root), isFewer: tally.removed < 56, some: tally.removed >= 20 }).toEqual({
    left: [],
    isFewer: true,
    some: true,
  });
});

test("what somebody else adds meanwhile goes as well", async () => {
  const root = plant(freshDir(), many);
  const outside = plant(freshDir(), { f: "x" });
  const { progress, tally } = watched((removed) => {
    if (removed % 10 !== 0 || removed > 40) return;
    mkdirSync(join(root, `d/new${removed}/deep`), { recursive: true });
    writeFileSync(join(root, `d/new${removed}/deep/f`), "");
    symlinkSync(outside, join(root, `d/link${removed}`));
  });
  await runHere(removeTree({ parent: hold(root), name: "d" }, { shown: "d", tally, progress }));
  expect({ left: readdirSync(root), outside: readdirSync(outside), removed: tally.removed }).toEqual({
    left: [],
    outside: ["f"],
    removed: 56 + 4 * 4,
  });
});

test("a file that becomes a folder before its turn goes as a folder", async () => {
  const root = plant(freshDir(), many);
  const { progress, tally } = watched((removed) => {
    if (removed !== 1) return;
    for (const name of readdirSync(join(root, "d"))) {
      const file = readdirSync(join(root, "d", name))[0];
      if (file === undefined) continue;
      rmSync(join(root, "d", name, file));
      mkdirSync(join(root, "d", name, file, "deep"), { recursive: true });
    }
  });
  await runHere(removeTree({ parent: hold(root), name: "d" }, { shown: "d", tally, progress }));
  expect(readdirSync(root)).toEqual([]);
});

test("something that adds to a folder all the time ends the removal, and is told", async () => {
  const root = plant(freshDir(), { "d/e/0": "" });
  const { progress, tally } = watched((removed) => writeFileSync(join(root, `d/e/${removed}`), ""));
  const work = runHere(removeTree({ parent: hold(root), name: "d" }, { shown: "~/d", tally, progress }));
  expect(await failure(work)).toEqual({
    code: "WRITE_FAILED",
    message: "~/d/e could not be written: something keeps adding to it while it is removed",
    hint: "Stop what writes there, then try again.",
  });
});

test("entries that are to stay keep the folders that hold them", async () => {
  const root = plant(freshDir(), { "d/a/go": "x", "d/a/stay": "xy", "d/b/go": "x", "d/link": { to: "a" } });
  await runHere(removeTree({ parent: hold(root), name: "d" }, { shown: "d", only: ({ size }) => size === 1n }));
  expect(readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted()).toEqual(["d", "d/a", "d/a/stay"]);
  await runHere(removeTree({ parent: hold(join(root, "d/a")), name: "stay" }, { shown: "stay", only: () => false }));
  expect(existsSync(join(root, "d/a/stay"))).toBe(true);
});

test("a removal that is cancelled says how many entries are gone, and that is true", async () => {
  const shop = workshop();
  const entries = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`d/${at}`, ""]));
  plant(shop.root, entries);
  const controller = new AbortController();
  const poll = (): void => {
    if (readdirSync(join(shop.root, "d")).length < 3000) controller.abort();
    else setImmediate(poll);
  };
  setImmediate(poll);
  const { code, message } = await failure(
    removePath(shop.undo, shop.guard, "d", { ...ME, recursive: true, secure: true, signal: controller.signal }),
  );
  const left = readdirSync(join(shop.root, "d")).length;
  expect({ code, message }).toEqual({
    code: "CANCELLED",
    message: `The file operation was cancelled; ${3000 - left} of 3001 entries are gone`,
  });
  expect(left).toBeGreaterThan(0);
});
