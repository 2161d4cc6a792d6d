import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { shortName } from "../../src/store/entry-id.js";
import type { Change } from "../../src/store/change.js";
import type { Work } from "../../../te-path/src/kernel/syscalls.js";
import { failure, plant } from "../../../te-path/test/tree.js";
import {
  append,
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
import { freshDesk, inventory, photograph } from "./desk.js";

/** What stays as it is while a mount is put on a folder and taken off. */
function sight(desk: Desk): unknown {
  return Object.entries(photograph(desk.root))
    .filter(([path]) => path !== "m")
    .map(([path, { mode, owner, content }]) => [path, mode, owner, content]);
}

/** Mounts something on a folder; it looks empty then, but it cannot go. Returns how to take that off. */
function mountOn(path: string, skip: (note: string) => never, size = "1m"): () => void {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path], { stdio: "ignore" });
  } catch {
    skip("mounts need rights that this user does not have");
  }
  let isOn = true;
  const takeOff = (): void => {
    if (isOn) execFileSync("umount", ["--lazy", path]);
    isOn = false;
  };
  onTestFinished(takeOff);
  return takeOff;
}

const STEPS: Record<string, (desk: Desk, change: Change) => Work<unknown>> = {
  "a rewrite": (desk, change) => rewrite(desk, change, "a", "2"),
  "a large rewrite": (desk, change) => rewrite(desk, change, "large", "2"),
  "a new file": (desk, change) => create(desk, change, "b", "2"),
  "a deletion": (desk, change) => deleteFile(desk, change, "a"),
  "an append": (desk, change) => append(desk, change, "a", "2"),
  "a new folder": (desk, change) => makeFolder(desk, change, "e"),
  "a move": (desk, change) => move(desk, change, "d", "f"),
  "a copy": (desk, change) => copy(desk, change, "d", "f"),
  "a removal": (desk, change) => remove(desk, change, "d"),
  "a mode": (desk, change) => setMode(desk, change, "a", 0o600),
  *"many steps"(desk, change) {
    yield* rewrite(desk, change, "a", "2");
    yield* move(desk, change, "a", "d/a");
    yield* rewrite(desk, change, "d/a", "3");
    if (!(yield* remove(desk, change, "d"))) return;
    yield* makeFolder(desk, change, "d");
    yield* create(desk, change, "d/a", "4");
  },
};

test.for(Object.entries(STEPS))(
  "%s that was taken back already is made once more when a later part of the undo fails",
  async ([, work], { skip }) => {
    const desk = freshDesk();
    plant(desk.root, { a: "1", large: Buffer.alloc(2 * MiB, "1"), "d/c": "1" });
    const before = sight(desk);
    const id = await changed(desk, function* (change) {
      yield* makeFolder(desk, change, "m");
      yield* work(desk, change);
    });
    const after = sight(desk);
    const takeOff = mountOn(join(desk.root, "m"), skip);
    const kept = inventory(desk.dir);
    expect(await failure(desk.journal.undo(id, OWNER))).toMatchObject({ code: "PERMISSION_DENIED" });
    expect(sight(desk)).toEqual(after);
    await desk.journal.sweep();
    expect(inventory(desk.dir).filter((name) => !name.endsWith(".undone"))).toEqual(kept);

    takeOff();
    expect((await desk.journal.undo(id, OWNER)).skipped).toEqual([]);
    expect(sight(desk)).toEqual(before);
    expect(existsSync(join(desk.root, "m"))).toBe(false);
  },
);

test("what cannot be made once more is said", async ({ skip }) => {
  const desk = freshDesk({ maxBytes: 1000 });
  plant(desk.root, { "d/a": "1" });
  const id = await changed(desk, function* (change) {
    yield* makeFolder(desk, change, "m");
    yield* copy(desk, change, "d", "e");
  });
  mountOn(join(desk.root, "m"), skip);
  expect(await failure(desk.journal.undo(id, OWNER))).toEqual({
    code: "PERMISSION_DENIED",
    message: `No permission for ${join(desk.root, "m")}; part of ${shortName(id)} is undone: ${join(desk.root, "e")} is gone`,
    hint: expect.stringContaining("mount point"),
  });
});

test.for(Object.entries(STEPS))("%s is rolled back, whether the journal is on or off", async ([, work]) => {
  for (const enabled of [true, false]) {
    const desk = freshDesk({ enabled });
    plant(desk.root, { a: "1", large: Buffer.alloc(2 * MiB, "1"), "d/c": "1" });
    const before = sight(desk);
    const change = begin(desk, { allOrNothing: true });
    await desk.run(work(desk, change));
    await desk.run(change.rollBack());
    expect(sight(desk)).toEqual(before);
    await desk.journal.sweep();
    expect(inventory(desk.dir).filter((name) => !name.endsWith(".undone"))).toEqual([]);
    // It is over.
    await desk.run(change.rollBack());
    expect(sight(desk)).toEqual(before);
  }
});

test("a change that is finished is not rolled back", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: "1" });
  const change = begin(desk);
  await desk.run(rewrite(desk, change, "a", "2"));
  await desk.run(change.finish());
  await desk.run(change.rollBack());
  expect(readFileSync(join(desk.root, "a"), "utf8")).toBe("2");
});

test("what stands in the way of a roll-back is told, all the rest is put back, and the old content stays", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: "1", b: "1", c: "1" });
  const change = begin(desk, { kind: "diff", allOrNothing: true });
  for (const name of ["a", "b", "c"]) await desk.run(rewrite(desk, change, name, "2"));
  writeFileSync(join(desk.root, "b"), "somebody else's");
  const { code, message, hint } = await failure(desk.run(change.rollBack()));
  const [listed] = await desk.journal.list(OWNER.owner, 5);
  expect({ code, message, hint }).toEqual({
    code: "WRITE_FAILED",
    message: expect.stringContaining(`${join(desk.root, "b")} was changed since`),
    hint: `The old content is kept: put that right, then undo ${shortName(listed?.id ?? "")}.`,
  });
  expect(["a", "b", "c"].map((name) => readFileSync(join(desk.root, name), "utf8"))).toEqual([
    "1",
    "somebody else's",
    "1",
  ]);

  writeFileSync(join(desk.root, "b"), "2");
  const { undone, skipped } = await desk.journal.undo(listed?.id ?? "", OWNER);
  expect([undone.length, skipped.length]).toEqual([1, 2]);
  expect(readFileSync(join(desk.root, "b"), "utf8")).toBe("1");
});

test("without the old content a roll-back says so", async () => {
  const desk = freshDesk({ enabled: false });
  plant(desk.root, { a: "1" });
  const change = begin(desk);
  await desk.run(rewrite(desk, change, "a", "2"));
  expect(await failure(desk.run(change.rollBack()))).toMatchObject({
    code: "WRITE_FAILED",
    message: expect.stringContaining("cannot get its old content back: that was not kept"),
  });
});

test("a roll-back is made to its end although the caller has gone", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: "1" });
  const change = begin(desk);
  await desk.run(rewrite(desk, change, "a", "2"));
  await desk.run(change.rollBack(), AbortSignal.abort());
  expect(readFileSync(join(desk.root, "a"), "utf8")).toBe("1");
});

test("a change is finished although the caller has gone", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: "1" });
  const change = begin(desk);
  await desk.run(rewrite(desk, change, "a", "2"));
  expect(await desk.run(change.finish(), AbortSignal.abort())).toMatchObject({ undo: { held_bytes: 1 } });
});

test("what is kept while the caller goes away is not taken for something that the journal cannot hold", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: Buffer.alloc(MiB) });
  const change = begin(desk);
  expect(await failure(desk.run(rewrite(desk, change, "a", "2"), AbortSignal.abort()))).toMatchObject({
    code: "CANCELLED",
  });
  await desk.run(rewrite(desk, change, "a", "2"));
  expect(await desk.run(change.finish())).toMatchObject({ undo: { held_bytes: MiB } });
});

test("a copy that others added to goes into the journal with what they added", async () => {
  const desk = freshDesk();
  plant(desk.root, { "d/a": "1" });
  const id = await changed(desk, (change) => copy(desk, change, "d", "e"));
  plant(desk.root, { "e/more": "2" });
  const { undo } = await desk.journal.undo(id, OWNER);
  expect(existsSync(join(desk.root, "e"))).toBe(false);
  await desk.journal.undo(undo?.id ?? "", OWNER);
  expect(readFileSync(join(desk.root, "e/more"), "utf8")).toBe("2");
});

test.for([
  ["small", "1"],
  ["large", Buffer.alloc(300_000, "1")],
] as const)(
  "on a disk that is full a %s file is rewritten without undo, and nothing of it stays",
  async ([, content], { skip }) => {
    const base = freshDesk();
    const disk = join(base.root, "..", "disk");
    mkdirSync(disk);
    mountOn(disk, skip, "256k");
    const desk = freshDesk({ dir: join(disk, "undo") });
    plant(desk.root, { a: "0", b: content });
    await changed(desk, (change) => rewrite(desk, change, "a", "1"));
    writeFileSync(join(disk, "filler"), "");
    try {
      for (;;) writeFileSync(join(disk, "filler"), Buffer.alloc(4096), { flag: "a" });
    } catch {
      // It is full.
    }
    const before = inventory(join(disk, "undo"));
    const change = begin(desk);
    await desk.run(rewrite(desk, change, "b", "2"));
    expect(await desk.run(change.finish())).toEqual({
      undo: null,
      undo_reason: "the undo journal cannot be written (ENOSPC)",
    });
    expect(readFileSync(join(desk.root, "b"), "utf8")).toBe("2");
    rmSync(join(disk, "filler"));
    await desk.journal.sweep();
    expect(inventory(join(disk, "undo"))).toEqual(before);
  },
);
