import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ChangesOptions } from "../../src/undo/open-changes.js";
import { codeOf, failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { begin, changed, create, deleteFile, makeFolder, MiB, OWNER, remove, rewrite, type Desk } from "./acts.js";
import { deskAt, freshDesk, inventory } from "./desk.js";

const HOUR = 3_600_000;

/** What a rewrite of a file of so many bytes ends with. */
async function rewriting(desk: Desk, bytes: number, allOrNothing = false): Promise<unknown> {
  plant(desk.root, { a: Buffer.alloc(bytes, "old") });
  const change = begin(desk, { allOrNothing });
  await desk.run(rewrite(desk, change, "a", "new"));
  return await desk.run(change.finish());
}

/** What a removal ends with that is said to be of so many bytes. */
async function removing(desk: Desk, bytes: number): Promise<unknown> {
  plant(desk.root, { d: "removed" });
  const change = begin(desk, { kind: "delete" });
  const isKept = await desk.run(remove(desk, change, "d", bytes));
  expect(existsSync(join(desk.root, "d"))).toBe(!isKept);
  if (!isKept) change.note({ did: "removed", path: `${desk.root}/d`, kept: "", who: { dev: "", ino: "" } });
  return await desk.run(change.finish());
}

const held = (bytes: number) => ({ undo: { id: expect.stringMatching(/^U_/), held_bytes: bytes } });
const notHeld = (reason: string) => ({ undo: null, undo_reason: reason });

test("what is more than half of the bound is not kept, and the change goes ahead", async () => {
  const desk = freshDesk({ maxBytes: 1000 });
  expect(await rewriting(desk, 500)).toEqual(held(500));
  expect(await rewriting(desk, 501)).toEqual(notHeld("its 501 bytes are more than half of what undo keeps"));
  expect(readFileSync(join(desk.root, "a"), "utf8")).toBe("new");
  expect(await removing(desk, 500)).toEqual(held(500));
  expect(await removing(desk, 501)).toEqual(notHeld("its 501 bytes are more than half of what undo keeps"));
});

test("the reason names the bound as its operator does", async () => {
  const desk = freshDesk({ maxBytes: 1000, names: { enabled: "keep", maxBytes: "most" } });
  expect(await rewriting(desk, 501)).toEqual(notHeld("its 501 bytes are more than half of most"));
});

test("a file that the journal will not hold is not read at all", async () => {
  const desk = freshDesk({ maxBytes: MiB });
  writeFileSync(join(desk.root, "huge"), "");
  truncateSync(join(desk.root, "huge"), 2 ** 42);
  const change = begin(desk);
  const before = performance.now();
  await desk.run(deleteFile(desk, change, "huge"));
  // Four terabytes of zeros take longer than that.
  expect(performance.now() - before).toBeLessThan(5000);
  expect(await desk.run(change.finish())).toEqual(
    notHeld(`its ${2 ** 42} bytes are more than half of what undo keeps`),
  );
});

const UNABLE: Record<string, readonly [options: (base: string) => Partial<ChangesOptions>, reason: string]> = {
  "that is off": [() => ({ enabled: false }), "undo is off"],
  "that is off by a setting": [
    () => ({ enabled: false, names: { enabled: "keep", maxBytes: "most" } }),
    "undo is off (keep)",
  ],
  "without a data folder": [() => ({ dir: null }), "there is no data folder"],
  "whose folder is a file": [
    (base) => {
      writeFileSync(join(base, "file"), "");
      return { dir: join(base, "file", "undo") };
    },
    "the undo journal cannot be written (ENOTDIR)",
  ],
  "whose folder is a link": [
    (base) => {
      mkdirSync(join(base, "elsewhere"));
      symlinkSync(join(base, "elsewhere"), join(base, "link"));
      return { dir: join(base, "link") };
    },
    "the undo journal cannot be written (EEXIST)",
  ],
};

test.for(Object.entries(UNABLE))("a journal %s is in nobody's way", async ([, [options, reason]]) => {
  const base = freshDir();
  const desk = deskAt(base, options(base));
  expect(await rewriting(desk, 10)).toEqual(notHeld(reason));
  expect(await rewriting(desk, 100_000)).toEqual(notHeld(reason));
  expect(await rewriting(desk, 10, true)).toEqual(notHeld(reason));
  expect(await rewriting(desk, 3 * MiB, true)).toEqual(notHeld(reason));
  expect(await removing(desk, 10)).toEqual(notHeld(reason));
  const change = begin(desk, { kind: "mkdirs" });
  await desk.run(makeFolder(desk, change, "folder"));
  expect(await desk.run(change.finish())).toEqual(notHeld(reason));
  expect(readFileSync(join(desk.root, "a"), "utf8")).toBe("new");
  await desk.journal.sweep();
  expect(await desk.journal.list(OWNER.owner, 5)).toEqual([]);
  expect(await codeOf(desk.journal.undoLast(OWNER))).toBe("NOT_FOUND");
});

test("nothing is kept of what is to be gone for good", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: "secret" });
  const change = begin(desk, { secure: true });
  await desk.run(deleteFile(desk, change, "a"));
  expect(await desk.run(change.finish())).toEqual(notHeld("no copy was to be kept"));
  expect(inventory(desk.dir)).toEqual([]);
});

test("on a disk that is nearly full what is removed is not kept, and what is rewritten is", async () => {
  const desk = freshDesk({ minFree: 1.1 });
  expect(await removing(desk, 10)).toEqual(notHeld("too little of the disk would stay free"));
  expect(await rewriting(desk, 10)).toEqual(held(10));
});

test("what would fill the disk is not kept", async () => {
  const desk = freshDesk({ maxBytes: 2 ** 60, minFree: 0 });
  expect(await removing(desk, 2 ** 58)).toEqual(notHeld("too little of the disk would stay free"));
});

test("a change of which no step was made leaves nothing and needs no reason", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: "1" });
  const change = begin(desk);
  await desk.run(deleteFile(desk, change, "a"));
  change.strike();
  expect(await desk.run(change.finish())).toEqual({ undo: null });
  expect(await desk.run(begin(desk).finish())).toEqual({ undo: null });
  await desk.journal.sweep();
  expect(inventory(desk.dir)).toEqual([]);
});

test("a change that is given up in the middle leaves nothing", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: Buffer.alloc(2 * MiB), b: "1" });
  const change = begin(desk);
  await desk.run(deleteFile(desk, change, "a"));
  expect(inventory(desk.dir)).toHaveLength(2);
  change.giveUp("for the test");
  change.giveUp("the first reason counts");
  await desk.run(deleteFile(desk, change, "b"));
  expect(await desk.run(change.finish())).toEqual(notHeld("for the test"));
  await desk.journal.sweep();
  expect(inventory(desk.dir)).toEqual([]);
});

test("the oldest changes make room for new ones", async () => {
  const desk = freshDesk({ maxBytes: 20_000 });
  const ids = [];
  for (let turn = 0; turn < 12; turn++) {
    plant(desk.root, { a: Buffer.alloc(3000, turn) });
    ids.push(await changed(desk, (change) => rewrite(desk, change, "a", `${turn}`)));
    expect(bytesIn(desk.dir)).toBeLessThanOrEqual(20_000);
  }
  const left = (await desk.journal.list(OWNER.owner, 100)).map(({ id }) => id);
  expect(left).toEqual(ids.slice(-left.length).toReversed());
  expect(left.length).toBeGreaterThan(3);
  await desk.journal.undo(left[0] ?? "", OWNER);
  expect(await failure(desk.journal.undo(ids[0] ?? "", OWNER))).toMatchObject({ code: "NOT_FOUND" });
});

test("a large thing is kept beside its log, and goes with it", async () => {
  const desk = freshDesk({ maxBytes: 10 * MiB });
  for (let turn = 0; turn < 6; turn++) {
    plant(desk.root, { a: Buffer.alloc(3 * MiB, turn), b: "" });
    await changed(desk, (change) => rewrite(desk, change, "a", "small"));
    plant(desk.root, { [`d/${turn}`]: Buffer.alloc(MiB) });
    await changed(desk, (change) => remove(desk, change, "d", MiB));
  }
  await desk.journal.sweep();
  expect(bytesIn(desk.dir)).toBeLessThanOrEqual(10 * MiB);
  expect(inventory(desk.dir).filter((name) => name.startsWith("trash/"))).toEqual([]);
  // Each that is left is whole.
  for (const { id } of await desk.journal.list(OWNER.owner, 1)) await desk.journal.undo(id, OWNER);
});

test("the number of changes is bounded as well", async () => {
  const desk = freshDesk({ maxEntries: 32 });
  for (let turn = 0; turn < 80; turn++) await changed(desk, (change) => makeFolder(desk, change, `d${turn}`));
  await desk.journal.sweep();
  const left = await desk.journal.list(OWNER.owner, 100);
  expect(left.length).toBeGreaterThan(20);
  expect(left.length).toBeLessThanOrEqual(32);
});

test("what is too old is gone", async () => {
  let now = Date.now();
  const desk = freshDesk({ maxAgeHours: 2, now: () => now });
  const old = await changed(desk, (change) => create(desk, change, "a", "1"));
  now += HOUR;
  const young = await changed(desk, (change) => create(desk, change, "b", "1"));
  now += HOUR + 1000;
  expect(await codeOf(desk.journal.undo(old, OWNER))).toBe("NOT_FOUND");
  expect((await desk.journal.list(OWNER.owner, 5)).map(({ id }) => id)).toEqual([young]);
  await desk.journal.sweep();
  expect(readdirSync(desk.dir).filter((name) => name !== "trash")).toEqual([young]);
  expect((await desk.journal.undoLast(OWNER)).id).toBe(young);
});

test("its folders and files are for this user alone, also where a folder was there before", async () => {
  const base = freshDir();
  mkdirSync(join(base, "data"));
  mkdirSync(join(base, "data", "undo"));
  chmodSync(join(base, "data", "undo"), 0o777);
  const desk = deskAt(base);
  plant(desk.root, { a: Buffer.alloc(100_000) });
  await changed(desk, (change) => rewrite(desk, change, "a", "1"));
  const modes = readdirSync(desk.dir).map((name) => (statSync(join(desk.dir, name)).mode & 0o777).toString(8));
  expect([(statSync(desk.dir).mode & 0o777).toString(8), ...modes.toSorted()]).toEqual(["700", "600", "600", "700"]);
});

test("a journal whose folder is removed while the server runs is made again", async () => {
  const desk = freshDesk();
  await changed(desk, (change) => create(desk, change, "a", "1"));
  rmSync(desk.dir, { recursive: true });
  await changed(desk, (change) => create(desk, change, "b", "1"));
  expect((await desk.journal.undoLast(OWNER)).undone).toHaveLength(1);
});

test("content is kept in memory when it must be there and the journal cannot hold it, up to a bound", async () => {
  const desk = freshDesk({ enabled: false });
  plant(desk.root, { a: "1", b: Buffer.alloc(MiB, "b") });
  const change = begin(desk, { allOrNothing: true });
  await desk.run(rewrite(desk, change, "a", "2"));
  await desk.run(deleteFile(desk, change, "b"));
  writeFileSync(join(desk.root, "c"), "");
  truncateSync(join(desk.root, "c"), 70 * MiB);
  expect(await failure(desk.run(rewrite(desk, change, "c", "2")))).toEqual({
    code: "WRITE_FAILED",
    message: "This change could not be written: the old content is too large to be kept until it is done",
    hint: "Change fewer or smaller files at once.",
  });
  await desk.run(change.rollBack());
  expect(readFileSync(join(desk.root, "a"), "utf8")).toBe("1");
  expect(readFileSync(join(desk.root, "b")).equals(Buffer.alloc(MiB, "b"))).toBe(true);
});

/** All that counts: logs, content, and what was said of trees. */
function bytesIn(dir: string): number {
  let total = 0;
  for (const name of readdirSync(dir)) {
    const said = /\.kept-\d+\.(\d+)$/.exec(name);
    if (name !== "trash") total += said === null ? statSync(join(dir, name)).size : Number(said[1]);
  }
  return total;
}
