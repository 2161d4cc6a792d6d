/* oxlint-disable require-yield -- visitors that make no calls */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HeldFolders } from "../../src/tree/held-folders.js";
import { survey } from "../../src/tree/survey.js";
import { Progress } from "../../src/tree/progress.js";
import { walkBelow, type Visitor } from "../../src/tree/walk-below.js";
import { freshQuickDir, otherDisk } from "../other-disk.js";
import { hold, plantDeep, runHere, statOf } from "../run-here.js";
import { failure, freshDir, plant } from "../tree.js";

/** What a walk met, in its order: `+` a folder entered, `-` one left. */
function recorder(): { met: string[]; visitor: Required<Visitor> } {
  const met: string[] = [];
  const visitor: Required<Visitor> = {
    *leaf({ way }) {
      met.push(way().join("/"));
    },
    *enter({ way }) {
      met.push(`+${way().join("/")}`);
    },
    *leave({ way }) {
      met.push(`-${way().join("/")}`);
      return undefined;
    },
  };
  return { met, visitor };
}

const quiet = new Progress(undefined);

function openDescriptors(): number {
  return readdirSync("/proc/self/fd").length;
}

test("each entry is met once, a folder before and after what it holds, links as links, names byte for byte", async () => {
  const root = plant(freshDir(), { "a/b/c": "x", "a/d": "x", e: "x", out: { to: "/etc" }, empty: null });
  writeFileSync(Buffer.concat([Buffer.from(`${root}/a/`), Buffer.from([0xe9, 0x0a])]), "x");
  const { met, visitor } = recorder();
  await runHere(walkBelow(hold(root), visitor, { shown: root }));
  expect(met.toSorted()).toEqual(
    ["e", "out", "+empty", "-empty", "+a", "a/d", "a/\xe9\n", "+a/b", "a/b/c", "-a/b", "-a"].toSorted(),
  );
  const order = ["+a", "a/d", "+a/b", "a/b/c", "-a/b", "-a"].map((each) => met.indexOf(each));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

test("a tree 3,000 levels deep is walked with few descriptors, and all of them are closed", async () => {
  const root = freshQuickDir();
  plantDeep(root, 3000);
  const top = hold(root);
  const before = openDescriptors();
  let most = 0;
  let deepest = 0;
  await runHere(
    walkBelow(
      top,
      {
        *leaf({ way }) {
          deepest = way().length;
          most = openDescriptors() - before;
        },
      },
      { shown: root },
    ),
  );
  expect({ deepest, isFew: most < 50, left: openDescriptors() - before }).toEqual({
    deepest: 3001,
    isFew: true,
    left: 0,
  });
});

test("a folder that was moved away while the walk was in it is noticed, and the walk goes nowhere else", async () => {
  const base = plant(freshDir(), { "root/a": null, "other/secret": "x" });
  mkdirSync(join(base, "root/a", ...Array.from({ length: 40 }, () => "d")), { recursive: true });
  const { met, visitor } = recorder();
  const work = walkBelow(
    hold(`${base}/root`),
    {
      ...visitor,
      *enter({ way }) {
        // The way up from here leads through folders that are no longer held, and then somewhere else.
        if (way().length === 41) renameSync(join(base, "root/a/d"), join(base, "other/d"));
      },
    },
    { shown: "/shown" },
  );
  expect(await failure(runHere(work))).toEqual({
    code: "WRITE_FAILED",
    message: "/shown/a/d could not be written: its folders were moved meanwhile",
    hint: "Try again.",
  });
  expect(met.filter((each) => each.includes("secret"))).toEqual([]);
});

test("where another file system begins the walk ends", async ({ skip }) => {
  const root = plant(freshDir(), { "a/f": "" });
  otherDisk(`${root}/a/disk`, skip);
  writeFileSync(`${root}/a/disk/inside`, "");
  const { met, visitor } = recorder();
  expect(await failure(runHere(walkBelow(hold(root), visitor, { shown: "~/shown" })))).toEqual({
    code: "PERMISSION_DENIED",
    message: "No permission for ~/shown/a/disk",
    hint: "Another file system begins there: name what lies in it itself.",
  });
  expect(met).toEqual(["+a", "a/f"]);
});

test("what becomes a link after it was listed is a leaf, what is gone is not met", async () => {
  const root = plant(freshDir(), { "1": "x", swapped: null, gone: null });
  const { met, visitor } = recorder();
  await runHere(
    walkBelow(
      hold(root),
      {
        ...visitor,
        *leaf({ name, way }) {
          met.push(way().join("/"));
          if (name !== "1") return;
          rmSync(`${root}/gone`, { recursive: true });
          rmSync(`${root}/swapped`, { recursive: true });
          symlinkSync("/etc", `${root}/swapped`);
        },
      },
      { shown: root },
    ),
  );
  expect(met).toEqual(["1", "swapped"]);
});

test("a folder is walked again as often as its visitor wishes", async () => {
  const root = plant(freshDir(), { "a/b": "x" });
  const passes: number[] = [];
  const { met, visitor } = recorder();
  await runHere(
    walkBelow(
      hold(root),
      {
        ...visitor,
        *leave({ passes: so }) {
          passes.push(so);
          return so < 3 ? ("again" as const) : undefined;
        },
      },
      { shown: root },
    ),
  );
  expect({ passes, met }).toEqual({ passes: [1, 2, 3], met: ["+a", "a/b", "+a", "a/b", "+a", "a/b"] });
});

test("an error names what was visited, and nothing stays open", async () => {
  const root = plant(freshDir(), { "a/b/c": "x" });
  const top = hold(root);
  const before = openDescriptors();
  const work = walkBelow(
    top,
    {
      *leaf() {
        throw Object.assign(new Error("no"), { code: "ENOSPC" });
      },
    },
    { shown: "~/shown" },
  );
  expect(await failure(runHere(work))).toMatchObject({
    code: "WRITE_FAILED",
    message: "~/shown/a/b/c could not be written: the disk is full",
  });
  expect(openDescriptors()).toBe(before);
});

test("a listing is left in the middle and closed when the caller has gone", async () => {
  const root = plant(freshDir(), Object.fromEntries(Array.from({ length: 700 }, (_, at) => [`f${at}`, ""])));
  const top = hold(root);
  const before = openDescriptors();
  const controller = new AbortController();
  let met = 0;
  const work = walkBelow(
    top,
    {
      *leaf() {
        met += 1;
        if (met === 100) controller.abort();
      },
    },
    { shown: root },
  );
  expect(await failure(runHere(work, controller.signal))).toMatchObject({ code: "CANCELLED" });
  expect({ met, left: openDescriptors() - before }).toEqual({ met: 512, left: 0 });
});

test("the top of a ladder is never closed by it", async () => {
  const root = plant(freshDir(), { "a/b": null });
  const top = hold(root);
  const ladder = new HeldFolders(top, statOf(root));
  await runHere(ladder.down("a"));
  await runHere(ladder.down("b"));
  expect(ladder.depth).toBe(2);
  await runHere(ladder.close());
  await runHere(walkBelow(top, recorder().visitor, { shown: root }));
});

test("a survey counts entries and room, and finds what cannot be copied", async () => {
  const root = plant(freshDir(), { "a/b": "x".repeat(10_000), "a/l": { to: "b" }, c: "x" });
  execFileSync("mkfifo", [`${root}/a/pipe`]);
  const paths = ["a", "a/b", "a/l", "a/pipe", "c"];
  const room = paths.reduce((sum, path) => sum + Number(statOf(`${root}/${path}`).blocks) * 512, 0);
  expect(await runHere(survey(hold(root), { shown: root, progress: quiet }))).toEqual({
    entries: 5,
    bytes: room,
    special: { way: ["a", "pipe"], kind: "fifo" },
  });
});
