import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { done } from "../../../te-path/src/kernel/done.js";
import type { Change } from "../../src/store/change.js";
import type { Target } from "../../../te-path/src/scope/target.js";
import { withEntry } from "../../../te-path/src/content/open-entry.js";
import type { Work } from "../../../te-path/src/kernel/syscalls.js";
import { shortName, timeOf } from "../../src/store/entry-id.js";
import { whoIs } from "../../src/store/steps.js";
import { statOf } from "../../../te-path/test/run-here.js";
import { codeOf, failure, plant } from "../../../te-path/test/tree.js";
import {
  append,
  at,
  begin,
  changed,
  copy,
  create,
  deleteFile,
  makeFolder,
  MiB,
  move,
  OWNER,
  remove,
  rewrite,
  setMode,
  type Desk,
} from "./acts.js";
import { freshDesk, photograph, type Facts } from "./desk.js";

const OLD = new Date("2001-02-03T04:05:06.789Z");

/** A file with a mode, an owner and a time that no new file has. */
function oldFile(desk: Desk, name: string, content: string | Buffer = "old"): void {
  const path = join(desk.root, name);
  plant(desk.root, { [name]: content });
  if (process.getuid?.() === 0) chownSync(path, 1234, 1235);
  chmodSync(path, 0o640);
  utimesSync(path, OLD, OLD);
}

/** A folder as a careless test would not make it. */
function oldTree(desk: Desk, name: string): void {
  oldFile(desk, `${name}/below/deep.txt`, "deep");
  oldFile(desk, `${name}/run.sh`, "#!/bin/sh\n");
  chmodSync(join(desk.root, name, "run.sh"), 0o4755);
  symlinkSync("../elsewhere", join(desk.root, name, "link"));
  mkdirSync(join(desk.root, name, "empty"), { mode: 0o711 });
  chmodSync(join(desk.root, name, "below"), 0o550);
  onTestFinished(() => void execFileSync("chmod", ["-R", "u+w", desk.root]));
  for (const each of ["below", "empty", ""]) utimesSync(join(desk.root, name, each), OLD, OLD);
}

interface Case {
  readonly start: (desk: Desk) => void;
  readonly steps: (desk: Desk, change: Change) => Work<unknown>;
  /** Which times do not come back. */
  readonly timeless?: "folders" | "all";
}

const CASES: Record<string, Case> = {
  "a rewritten file": {
    start: (desk) => oldFile(desk, "a"),
    steps: (desk, change) => rewrite(desk, change, "a", "new"),
  },
  "a rewritten file that was empty": {
    start: (desk) => oldFile(desk, "a", ""),
    steps: (desk, change) => rewrite(desk, change, "a", "new"),
  },
  "a rewritten file that is too large for the log": {
    start: (desk) => oldFile(desk, "a", Buffer.alloc(300_000, "large ")),
    steps: (desk, change) => rewrite(desk, change, "a", "new"),
  },
  "a rewritten file that is kept by its old inode": {
    start: (desk) => oldFile(desk, "a", Buffer.alloc(3 * MiB, "large ")),
    steps: (desk, change) => rewrite(desk, change, "a", "new"),
  },
  "a file that lost its setuid with the rewrite": {
    start: (desk) => {
      oldFile(desk, "a");
      chmodSync(join(desk.root, "a"), 0o4755);
    },
    steps: (desk, change) => rewrite(desk, change, "a", "new"),
  },
  "a file whose name is no UTF-8": {
    start: (desk) => writeFileSync(Buffer.concat([Buffer.from(`${desk.root}/`), Buffer.from([0x61, 0xff])]), "old"),
    steps: (desk, change) => deleteFile(desk, change, "a\xff"),
  },
  "a file whose name looks like an escaped byte": {
    start: (desk) => oldFile(desk, "a\\xff"),
    steps: (desk, change) => deleteFile(desk, change, "a\\xff"),
  },
  "a made file": { start: () => {}, steps: (desk, change) => create(desk, change, "a", "new") },
  "a deleted file": { start: (desk) => oldFile(desk, "a"), steps: (desk, change) => deleteFile(desk, change, "a") },
  "a deleted large file": {
    start: (desk) => oldFile(desk, "a", Buffer.alloc(3 * MiB, "large ")),
    steps: (desk, change) => deleteFile(desk, change, "a"),
  },
  "an append": {
    start: (desk) => oldFile(desk, "a"),
    steps: (desk, change) => append(desk, change, "a", " and new"),
    timeless: "all",
  },
  "a large append": {
    start: (desk) => oldFile(desk, "a"),
    steps: (desk, change) => append(desk, change, "a", "large ".repeat(20_000)),
    timeless: "all",
  },
  "a made folder": { start: () => {}, steps: (desk, change) => makeFolder(desk, change, "a") },
  "folders made one in the other": {
    start: () => {},
    *steps(desk, change) {
      for (const name of ["a", "a/b", "a/b/c"]) yield* makeFolder(desk, change, name);
      yield* create(desk, change, "a/b/c/file", "new");
    },
  },
  "a moved file": { start: (desk) => oldFile(desk, "a"), steps: (desk, change) => move(desk, change, "a", "b") },
  "a moved tree": { start: (desk) => oldTree(desk, "a"), steps: (desk, change) => move(desk, change, "a", "b") },
  "a move over a file": {
    start: (desk) => {
      oldFile(desk, "a", "moved");
      oldFile(desk, "b", "overwritten");
    },
    *steps(desk, change) {
      yield* remove(desk, change, "b");
      yield* move(desk, change, "a", "b");
    },
  },
  "a copied file": { start: (desk) => oldFile(desk, "a"), steps: (desk, change) => copy(desk, change, "a", "b") },
  "a copied tree": {
    start: (desk) => plant(desk.root, { "a/file": "1", "a/below/file": "2" }),
    steps: (desk, change) => copy(desk, change, "a", "b"),
  },
  "a removed file": { start: (desk) => oldFile(desk, "a"), steps: (desk, change) => remove(desk, change, "a") },
  "a removed link": {
    start: (desk) => symlinkSync("/nowhere", join(desk.root, "a")),
    steps: (desk, change) => remove(desk, change, "a"),
  },
  "a removed tree": { start: (desk) => oldTree(desk, "a"), steps: (desk, change) => remove(desk, change, "a") },
  "a changed mode": { start: (desk) => oldFile(desk, "a"), steps: (desk, change) => setMode(desk, change, "a", 0o600) },
  "a diff of many kinds": {
    start: (desk) => {
      oldFile(desk, "changed", "1");
      oldFile(desk, "renamed", "2");
      oldFile(desk, "gone", "3");
      oldFile(desk, "twice", "4");
    },
    *steps(desk, change) {
      yield* rewrite(desk, change, "changed", "1a");
      yield* move(desk, change, "renamed", "other");
      yield* rewrite(desk, change, "other", "2a");
      yield* deleteFile(desk, change, "gone");
      yield* makeFolder(desk, change, "folder");
      yield* create(desk, change, "folder/made", "5");
      yield* rewrite(desk, change, "twice", "4a");
      yield* rewrite(desk, change, "twice", "4b");
      yield* setMode(desk, change, "twice", 0o755);
    },
  },
  "a change of what was then moved and removed": {
    start: (desk) => oldFile(desk, "a/file", "1"),
    *steps(desk, change) {
      yield* rewrite(desk, change, "a/file", "2");
      yield* move(desk, change, "a", "b");
      yield* rewrite(desk, change, "b/file", "3");
      yield* create(desk, change, "b/more", "4");
      yield* remove(desk, change, "b");
    },
    timeless: "folders",
  },
};

type Timeless = Record<string, Omit<Facts, "mtimeUs">>;

/** The time of a folder is that of the last change in it, which an undo is as well. */
function withoutTimes(photo: Record<string, Facts>, of: "folders" | "all"): Timeless {
  const isWithout = (mode: string): boolean => of === "all" || mode.startsWith("4");
  return Object.fromEntries(
    Object.entries(photo).map(([path, { mtimeUs, ...facts }]) => [
      path,
      isWithout(facts.mode) ? facts : { ...facts, mtimeUs },
    ]),
  );
}

test.for(Object.entries(CASES))(
  "%s comes back as it was, and once more as it became",
  async ([, { start, steps: work, timeless }]) => {
    const same = (photo: Record<string, Facts>) => (timeless === undefined ? photo : withoutTimes(photo, timeless));
    const desk = freshDesk();
    start(desk);
    const before = photograph(desk.root);
    const id = await changed(desk, (change) => work(desk, change));
    const after = photograph(desk.root);
    expect(after).not.toEqual(before);

    const undone = await desk.journal.undo(id, OWNER);
    expect(undone.skipped).toEqual([]);
    expect(same(photograph(desk.root))).toEqual(same(before));

    const redone = await desk.journal.undo(undone.undo?.id ?? "", OWNER);
    expect(withoutTimes(photograph(desk.root), "all")).toEqual(withoutTimes(after, "all"));

    await desk.journal.undo(redone.undo?.id ?? "", OWNER);
    expect(withoutTimes(photograph(desk.root), "all")).toEqual(withoutTimes(before, "all"));
  },
);

test("undo without an id takes back the last change of the session, then the one before, and no undo", async () => {
  const desk = freshDesk();
  oldFile(desk, "a", "1");
  const before = photograph(desk.root);
  const first = await changed(desk, (change) => rewrite(desk, change, "a", "2"));
  const second = await changed(desk, (change) => move(desk, change, "a", "b"));
  const third = await changed(desk, (change) => rewrite(desk, change, "b", "3"));
  await changed(desk, (change) => create(desk, change, "c", "4"), { session: "s2" });

  const taken = [];
  for (let left = 3; left > 0; left--) taken.push((await desk.journal.undoLast(OWNER)).id);
  expect(taken).toEqual([third, second, first]);
  expect(await failure(desk.journal.undoLast(OWNER))).toEqual({
    code: "NOT_FOUND",
    message: "All changes of this session are undone already",
    hint: "Changes by commands cannot be undone here.",
  });
  rmSync(join(desk.root, "c"));
  expect(withoutTimes(photograph(desk.root), "folders")).toEqual(withoutTimes(before, "folders"));
});

test("the short name of a change does as its id, for its owner alone", async () => {
  const desk = freshDesk();
  oldFile(desk, "a", "1");
  const id = await changed(desk, (change) => rewrite(desk, change, "a", "2"));
  const name = shortName(id);
  expect(name).toMatch(/^u\d{9}$/);
  expect(await failure(desk.journal.undo(name, { owner: "nobody" }))).toMatchObject({
    code: "NOT_FOUND",
    message: `No change "${name}"`,
  });
  expect((await desk.journal.undo(name, OWNER)).id).toBe(id);
  expect(await failure(desk.journal.undo(name, OWNER))).toMatchObject({ message: `${name} is undone already` });
});

test("a redo is the last change again", async () => {
  const desk = freshDesk();
  oldFile(desk, "a", "1");
  await changed(desk, (change) => rewrite(desk, change, "a", "2"));
  const undone = await desk.journal.undoLast(OWNER);
  const redone = await desk.journal.undo(undone.undo?.id ?? "", OWNER);
  expect(redone.kind).toBe("undo");
  expect((await desk.journal.undoLast(OWNER)).id).toBe(redone.undo?.id);
  expect(photograph(desk.root)["a"]?.content).toBe("1");
});

test("what was taken back cannot be taken back twice, and the error names the way to a redo", async () => {
  const desk = freshDesk();
  oldFile(desk, "a", "1");
  const id = await changed(desk, (change) => rewrite(desk, change, "a", "2"));
  const { undo } = await desk.journal.undo(id, OWNER);
  expect(await failure(desk.journal.undo(id, OWNER))).toEqual({
    code: "NOT_FOUND",
    message: `${shortName(id)} is undone already`,
    hint: `To make the change once more, undo ${shortName(undo?.id ?? "")}.`,
  });
});

test("another owner's change does not exist, and neither does what is no id", async () => {
  const desk = freshDesk();
  oldFile(desk, "a", "1");
  const id = await changed(desk, (change) => rewrite(desk, change, "a", "2"), { kind: "patch", paths: ["/r/a"] });
  const secret = await changed(desk, (change) => rewrite(desk, change, "a", "3"), { owner: "you" });
  const stamp = new Date(timeOf(id)).toISOString().replace(/\.\d+/, "");
  const hint = `Pass an id: ${shortName(id)} (patch /r/a, ${stamp}).`;

  for (const each of [secret, `${secret.slice(0, -1)}z`, "../../etc/passwd", "", "U_1", `${id}\n`])
    expect(await failure(desk.journal.undo(each, OWNER))).toEqual({
      code: "NOT_FOUND",
      message: `No change ${JSON.stringify(each)}`,
      hint,
    });
  expect(await failure(desk.journal.undo(id, { owner: "nobody" }))).toMatchObject({
    code: "NOT_FOUND",
    hint: "Changes by commands cannot be undone here.",
  });
});

test("the list is newest first, of one owner, and without what was taken back", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: "1" });
  const ids: string[] = [];
  for (let turn = 0; turn < 12; turn++)
    ids.push(await changed(desk, (change) => rewrite(desk, change, "a", `${turn}`), { paths: [`a${turn}`] }));
  await changed(desk, (change) => create(desk, change, "b", ""), { owner: "you" });
  await desk.journal.undoLast(OWNER);

  const expected = ids.slice(0, -1).toReversed();
  expect((await desk.journal.list(OWNER.owner, 5)).map(({ id }) => id)).toEqual(expected.slice(0, 5));
  expect(await desk.journal.list(OWNER.owner, 100)).toEqual(
    expected.map((id, index) => ({ id, kind: "write", paths: [`a${10 - index}`], at: timeOf(id), isBegun: false })),
  );
});

test("a cancelled undo has changed nothing", async () => {
  const desk = freshDesk();
  oldFile(desk, "a", "1");
  const id = await changed(desk, (change) => rewrite(desk, change, "a", "2"));
  expect(await codeOf(desk.journal.undo(id, { ...OWNER, signal: AbortSignal.abort() }))).toBe("CANCELLED");
  expect(photograph(desk.root)["a"]?.content).toBe("2");
  expect((await desk.journal.undo(id, OWNER)).undone).toHaveLength(1);
});

test("another name of a file that the journal has is no part of our own state", async () => {
  const desk = freshDesk();
  plant(desk.root, { "d/a": "1", large: Buffer.alloc(2 * MiB) });
  linkSync(join(desk.root, "d/a"), join(desk.root, "second name"));
  const id = await changed(desk, (change) => remove(desk, change, "d"));
  const unfinished = begin(desk);
  await desk.run(
    at(desk, "large", (target) =>
      withEntry(target, (entry) =>
        unfinished.keep(entry, target.found as NonNullable<Target["found"]>, { at: target }),
      ),
    ),
  );
  expect(lstatSync(join(desk.root, "large")).nlink).toBe(2);
  // The look into our own state is at most a second old.
  for (const name of ["second name", "large"]) await desk.run(at(desk, name, ({ found }) => done(found)));
  await desk.journal.undo(id, OWNER);
  await desk.run(unfinished.finish());
});

test("a folder that nobody may write to comes back, and goes, as any other", async ({ skip }) => {
  if (process.getuid?.() === 0) skip("root may write everywhere");
  const desk = freshDesk();
  plant(desk.root, { "d/a": "1" });
  const change = begin(desk, { kind: "delete" });
  const place = await desk.run(change.placeFor(10));
  // As a copy is kept, whose source was on another disk.
  execFileSync("cp", ["-a", join(desk.root, "d"), place?.path ?? ""]);
  chmodSync(place?.path ?? "", 0o555);
  const who = whoIs(statOf(join(desk.root, "d")));
  change.note({ did: "removed", path: join(desk.root, "d"), kept: place?.kept ?? "", who });
  rmSync(join(desk.root, "d"), { recursive: true });
  const { undo } = await desk.run(change.finish());
  const undone = await desk.journal.undo(undo?.id ?? "", OWNER);
  expect(photograph(desk.root)).toMatchObject({ d: { mode: "40555" }, "d/a": { content: "1" } });

  chmodSync(join(desk.root, "d"), 0o755);
  await desk.journal.undo(undone.undo?.id ?? "", OWNER);
  const { dir } = desk;
  for (const name of readdirSync(dir)) if (name.includes("kept")) chmodSync(join(dir, name), 0o555);
  await desk.journal.undoLast(OWNER);
  await desk.journal.sweep();
  expect(photograph(desk.root)).toMatchObject({ d: { mode: "40555" } });
  chmodSync(join(desk.root, "d"), 0o755);
});
