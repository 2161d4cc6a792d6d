import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { shortName } from "../../src/store/entry-id.js";
import type { Change } from "../../src/store/change.js";
import type { Work } from "../../../te-path/src/kernel/syscalls.js";
import { failure, freshDir, plant } from "../../../te-path/test/tree.js";
import {
  append,
  changed,
  copy,
  create,
  deleteFile,
  makeFolder,
  move,
  OWNER,
  remove,
  rewrite,
  setMode,
  type Desk,
} from "./acts.js";
import { deskAt, freshDesk, photograph } from "./desk.js";

interface Case {
  readonly entries: Parameters<typeof plant>[1];
  readonly steps: (desk: Desk, change: Change) => Work<unknown>;
  readonly meanwhile: (root: string) => void;
  /** After the path, and the path itself below the root. */
  readonly refusal: readonly [path: string, problem: string];
  readonly hint: string;
  /** Does what the hint says. */
  readonly remedy?: (root: string) => void;
}

const BY_HAND = "Another program changed it: read it and change it by hand.";
const CHANGED = "was changed since";

const CASES: Record<string, Case> = {
  "a rewritten file that was changed": {
    entries: { a: "1" },
    steps: (desk, change) => rewrite(desk, change, "a", "2"),
    meanwhile: (root) => writeFileSync(`${root}/a`, "3"),
    refusal: ["a", CHANGED],
    hint: BY_HAND,
    remedy: (root) => writeFileSync(`${root}/a`, "2"),
  },
  "a rewritten file that became much larger": {
    entries: { a: "1" },
    steps: (desk, change) => rewrite(desk, change, "a", "2"),
    meanwhile: (root) => writeFileSync(`${root}/a`, "2".repeat(100_000)),
    refusal: ["a", CHANGED],
    hint: BY_HAND,
  },
  "a rewritten file that is gone": {
    entries: { a: "1" },
    steps: (desk, change) => rewrite(desk, change, "a", "2"),
    meanwhile: (root) => rmSync(`${root}/a`),
    refusal: ["a", "is gone"],
    hint: BY_HAND,
  },
  "a rewritten file that is a folder": {
    entries: { a: "1" },
    steps: (desk, change) => rewrite(desk, change, "a", "2"),
    meanwhile: (root) => {
      rmSync(`${root}/a`);
      mkdirSync(`${root}/a`);
    },
    refusal: ["a", "is not a file any more"],
    hint: BY_HAND,
  },
  "a rewritten file that is a link to what has the same content": {
    entries: { a: "1" },
    steps: (desk, change) => rewrite(desk, change, "a", "2"),
    meanwhile(root) {
      renameSync(`${root}/a`, `${root}/b`);
      symlinkSync("b", `${root}/a`);
    },
    refusal: ["a", "is not a file any more"],
    hint: BY_HAND,
  },
  "a rewritten file in a folder that is a link": {
    entries: { "d/a": "1", "e/a": "2" },
    steps: (desk, change) => rewrite(desk, change, "d/a", "2"),
    meanwhile(root) {
      renameSync(`${root}/d`, `${root}/f`);
      symlinkSync("e", `${root}/d`);
    },
    refusal: ["d/a", "is reached through a link by now"],
    hint: BY_HAND,
  },
  "a made file that was changed": {
    entries: {},
    steps: (desk, change) => create(desk, change, "a", "1"),
    meanwhile: (root) => writeFileSync(`${root}/a`, "2"),
    refusal: ["a", CHANGED],
    hint: BY_HAND,
  },
  "a deleted file whose name is taken": {
    entries: { a: "1" },
    steps: (desk, change) => deleteFile(desk, change, "a"),
    meanwhile: (root) => writeFileSync(`${root}/a`, "2"),
    refusal: ["a", "is there again"],
    hint: "Move or delete ROOT/a, then ID again.",
    remedy: (root) => rmSync(`${root}/a`),
  },
  "a deleted file whose folder is gone": {
    entries: { "d/a": "1" },
    steps: (desk, change) => deleteFile(desk, change, "d/a"),
    meanwhile: (root) => rmSync(`${root}/d`, { recursive: true }),
    refusal: ["d", "is gone"],
    hint: "Make the folder ROOT/d, then ID again.",
    remedy: (root) => mkdirSync(`${root}/d`),
  },
  "a file that was added to after an append": {
    entries: { a: "1" },
    steps: (desk, change) => append(desk, change, "a", "2"),
    meanwhile: (root) => writeFileSync(`${root}/a`, "3", { flag: "a" }),
    refusal: ["a", CHANGED],
    hint: BY_HAND,
  },
  "a file whose beginning was changed after an append": {
    entries: { a: "1" },
    steps: (desk, change) => append(desk, change, "a", "2"),
    meanwhile: (root) => writeFileSync(`${root}/a`, "32"),
    refusal: ["a", CHANGED],
    hint: BY_HAND,
  },
  "a made folder that is not empty": {
    entries: {},
    steps: (desk, change) => makeFolder(desk, change, "d"),
    meanwhile: (root) => writeFileSync(`${root}/d/a`, ""),
    refusal: ["d", "is no longer empty"],
    hint: "Move or delete what is in ROOT/d, then ID again.",
    remedy: (root) => rmSync(`${root}/d/a`),
  },
  "a made folder that is a file": {
    entries: {},
    steps: (desk, change) => makeFolder(desk, change, "d"),
    meanwhile(root) {
      rmSync(`${root}/d`, { recursive: true });
      writeFileSync(`${root}/d`, "");
    },
    refusal: ["d", "is not a folder any more"],
    hint: BY_HAND,
  },
  "a moved file that is another": {
    entries: { a: "1" },
    steps: (desk, change) => move(desk, change, "a", "b"),
    meanwhile(root) {
      rmSync(`${root}/b`);
      writeFileSync(`${root}/b`, "1");
    },
    refusal: ["b", "is something else by now"],
    hint: BY_HAND,
  },
  "a moved file that is gone": {
    entries: { a: "1" },
    steps: (desk, change) => move(desk, change, "a", "b"),
    meanwhile: (root) => rmSync(`${root}/b`),
    refusal: ["b", "is gone"],
    hint: BY_HAND,
  },
  "a moved file whose old name is taken": {
    entries: { a: "1" },
    steps: (desk, change) => move(desk, change, "a", "b"),
    meanwhile: (root) => writeFileSync(`${root}/a`, "2"),
    refusal: ["a", "is there again"],
    hint: "Move or delete ROOT/a, then ID again.",
    remedy: (root) => rmSync(`${root}/a`),
  },
  "a copy that is something else": {
    entries: { a: "1" },
    steps: (desk, change) => copy(desk, change, "a", "b"),
    meanwhile(root) {
      renameSync(`${root}/b`, `${root}/c`);
      writeFileSync(`${root}/b`, "1");
    },
    refusal: ["b", "is something else by now"],
    hint: BY_HAND,
  },
  "a removed tree whose name is taken": {
    entries: { "d/a": "1" },
    steps: (desk, change) => remove(desk, change, "d"),
    meanwhile: (root) => mkdirSync(`${root}/d`),
    refusal: ["d", "is there again"],
    hint: "Move or delete ROOT/d, then ID again.",
    remedy: (root) => rmSync(`${root}/d`, { recursive: true }),
  },
  "a removed tree whose folder is a file": {
    entries: { "d/e/a": "1" },
    steps: (desk, change) => remove(desk, change, "d/e"),
    meanwhile(root) {
      rmSync(`${root}/d`, { recursive: true });
      writeFileSync(`${root}/d`, "");
    },
    refusal: ["d", "is gone"],
    hint: "Make the folder ROOT/d, then ID again.",
    remedy(root) {
      rmSync(`${root}/d`);
      mkdirSync(`${root}/d`);
    },
  },
  "a file whose mode was changed again": {
    entries: { a: "1" },
    steps: (desk, change) => setMode(desk, change, "a", 0o700),
    meanwhile: (root) => chmodSync(`${root}/a`, 0o711),
    refusal: ["a", CHANGED],
    hint: BY_HAND,
  },
  "the first of many": {
    entries: { a: "1", b: "1", c: "1" },
    *steps(desk, change) {
      for (const name of ["a", "b", "c"]) yield* rewrite(desk, change, name, "2");
    },
    meanwhile: (root) => writeFileSync(`${root}/a`, "3"),
    refusal: ["a", CHANGED],
    hint: BY_HAND,
  },
};

test.for(Object.entries(CASES))("%s stands in the way, and nothing is taken back", async ([, each]) => {
  const desk = freshDesk();
  const { root } = desk;
  plant(root, each.entries);
  const id = await changed(desk, (change) => each.steps(desk, change));
  each.meanwhile(root);
  const before = photograph(root);

  const [path, problem] = each.refusal;
  expect(await failure(desk.journal.undo(id, OWNER))).toEqual({
    code: "STALE_FILE",
    message: `${join(root, path)} ${problem}, so nothing was undone`,
    hint: each.hint.replace("ID", shortName(id)).replace("ROOT", root),
  });
  expect(photograph(root)).toEqual(before);

  if (each.remedy === undefined) return;
  each.remedy(root);
  expect((await desk.journal.undo(id, OWNER)).undone).not.toEqual([]);
});

test("where later changes of the same owner are in the way, the hint names them in the order that works", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: "1", "d/b": "1" });
  const first = await changed(desk, (change) => rewrite(desk, change, "a", "2"));
  const second = await changed(desk, (change) => rewrite(desk, change, "a", "3"));
  await changed(desk, (change) => rewrite(desk, change, "d/b", "3"));
  const third = await changed(desk, (change) => move(desk, change, "a", "c"));

  expect(await failure(desk.journal.undo(first, OWNER))).toMatchObject({
    code: "STALE_FILE",
    hint: `Undo ${shortName(third)}, ${shortName(second)} first, in this order, then ${shortName(first)} again.`,
  });
  for (const id of [third, second, first]) await desk.journal.undo(id, OWNER);
  expect(readFileSync(join(desk.root, "a"), "utf8")).toBe("1");
});

test("steps that were not made after all are skipped", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: "1", b: "1", "d/x": "1", m: "1" });
  const id = await changed(desk, function* (change) {
    yield* rewrite(desk, change, "a", "2");
    yield* rewrite(desk, change, "b", "2");
    yield* create(desk, change, "c", "2");
    yield* makeFolder(desk, change, "e");
    yield* remove(desk, change, "d");
    yield* move(desk, change, "m", "n");
  });
  // As if somebody had put all but one back by hand.
  writeFileSync(join(desk.root, "a"), "1");
  rmSync(join(desk.root, "c"));
  rmSync(join(desk.root, "e"), { recursive: true });
  renameSync(join(desk.root, "n"), join(desk.root, "m"));
  const { undone, skipped } = await desk.journal.undo(id, OWNER);
  const path = (name: string) => join(desk.root, name);
  expect(undone).toEqual([
    { path: path("d"), how: "is back" },
    { path: path("b"), how: "has its old content" },
  ]);
  expect(skipped).toEqual([
    { path: path("m"), why: "it was not moved after all" },
    { path: path("e"), why: "it is not there" },
    { path: path("c"), why: "it is not there" },
    { path: path("a"), why: "it was not changed after all" },
  ]);
});

test("nothing is taken back where others execute it by now", async () => {
  const base = freshDir();
  const desk = deskAt(base, { allowExecConfig: true });
  plant(desk.root, { ".envrc": "1", ".git/hooks/x": "1" });
  const ids = [
    await changed(desk, (change) => rewrite(desk, change, ".envrc", "2")),
    await changed(desk, (change) => remove(desk, change, ".git/hooks")),
    await changed(desk, (change) => move(desk, change, ".git", "git")),
  ];
  const before = photograph(desk.root);

  const strict = deskAt(base);
  for (const id of ids.slice(0, 2))
    expect(await failure(strict.journal.undo(id, OWNER))).toMatchObject({
      code: expect.stringMatching(/PERMISSION|STALE/),
    });
  expect(await failure(strict.journal.undo(ids[0] ?? "", OWNER))).toMatchObject({ code: "PERMISSION_DENIED" });
  expect(photograph(desk.root)).toEqual(before);
});

test("what lies outside the roots of today is not touched", async () => {
  const base = freshDir();
  const desk = deskAt(base);
  plant(desk.root, { "in/a": "1", "out/a": "1" });
  const id = await changed(desk, (change) => rewrite(desk, change, "out/a", "2"));
  const strict = deskAt(base, { root: join(desk.root, "in") });
  expect(await failure(strict.journal.undo(id, OWNER))).toMatchObject({ code: "INVALID_PATH" });
  expect(readFileSync(join(desk.root, "out/a"), "utf8")).toBe("2");
});

test("a mount point or a root that lies in what is to go keeps it there", async () => {
  const base = freshDir();
  const desk = deskAt(base);
  const id = await changed(desk, (change) => makeFolder(desk, change, "d"));
  const inner = deskAt(base, { root: join(desk.root, "d") });
  expect(await failure(inner.journal.undo(id, OWNER))).toMatchObject({ code: "PERMISSION_DENIED" });
  expect(Object.keys(photograph(dirname(join(desk.root, "d"))))).toEqual(["d"]);
});

test("a file that was given the number of another is not taken for it", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: "1" });
  const id = await changed(desk, (change) => move(desk, change, "a", "b"));
  const mine = photographIno(desk, "b");
  // On most file systems the next file gets the number that has just become free.
  for (let turn = 0; turn < 50; turn++) {
    rmSync(join(desk.root, "b"));
    writeFileSync(join(desk.root, "b"), "not mine");
    if (photographIno(desk, "b") === mine) break;
  }
  utimesSync(join(desk.root, "b"), 1, 1);
  expect(await failure(desk.journal.undo(id, OWNER))).toMatchObject({ code: "STALE_FILE" });
});

function photographIno(desk: Desk, name: string): bigint {
  return lstatSync(join(desk.root, name), { bigint: true }).ino;
}

test("what was put into a tree since it was moved does not come to be executed by an undo", async () => {
  const desk = freshDesk();
  plant(desk.root, { "repo/.git/HEAD": "" });
  const id = await changed(desk, (change) => move(desk, change, "repo/.git", "g"));
  plant(desk.root, { "g/hooks/pre-commit": "#!/bin/sh" });
  expect(await failure(desk.journal.undo(id, OWNER))).toMatchObject({ code: "PERMISSION_DENIED" });
  expect(Object.keys(photograph(join(desk.root, "repo")))).toEqual([]);
  rmSync(join(desk.root, "g/hooks"), { recursive: true });
  expect((await desk.journal.undo(id, OWNER)).undone).toHaveLength(1);
});
