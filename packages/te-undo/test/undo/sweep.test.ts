import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createIds } from "../../src/store/entry-id.js";
import { freshDir, plant } from "../../../te-path/test/tree.js";
import { plantDeep } from "../../../te-path/test/run-here.js";
import { begin, changed, create, MiB, OWNER, remove, rewrite } from "./acts.js";
import { deskAt, freshDesk, inventory } from "./desk.js";

const HOUR = 3_600_000;
const hasFifo = existsSync("/usr/bin/mkfifo");

test("a tree of any depth and with anything in it is removed, and no link is followed", async () => {
  const base = freshDir();
  const desk = deskAt(base, { maxAgeHours: 1 });
  plant(base, { "outside/precious": "1" });
  plant(desk.root, { "d/file": "1", "d/sub/file": "1" });
  symlinkSync(join(base, "outside"), join(desk.root, "d/link"));
  symlinkSync("../outside", join(desk.root, "d/sub/link"));
  if (hasFifo) execFileSync("mkfifo", [join(desk.root, "d/fifo")]);
  mkdirSync(join(desk.root, "d/shut"));
  plant(desk.root, { "d/shut/file": "1" });
  chmodSync(join(desk.root, "d/shut"), 0);
  plantDeep(join(desk.root, "d"), 2000);
  await changed(desk, (change) => remove(desk, change, "d"));

  const later = deskAt(base, { maxAgeHours: 1, now: () => Date.now() + 2 * HOUR });
  await later.journal.sweep();
  expect(inventory(desk.dir)).toEqual([]);
  expect(readFileSync(join(base, "outside/precious"), "utf8")).toBe("1");
});

test("a sweep lets others have their turn, however much there is to remove", async () => {
  const base = freshDir();
  const desk = deskAt(base);
  mkdirSync(join(desk.root, "d"));
  for (let at = 0; at < 2000; at++) writeFileSync(join(desk.root, `d/${at}`), "");
  const change = begin(desk);
  await desk.run(remove(desk, change, "d"));
  change.giveUp("for the test");
  await desk.run(change.finish());
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await desk.journal.sweep();
  clearInterval(timer);
  expect(inventory(desk.dir)).toEqual([]);
  expect(turns).toBeGreaterThan(2);
});

test("what no entry names is left alone for an hour, then goes", async () => {
  const base = freshDir();
  const desk = deskAt(base);
  await changed(desk, (change) => create(desk, change, "a", "1"));
  const id = createIds(Date.now)();
  const sum = "0".repeat(64);
  plant(desk.dir, { [`${id}.kept-0.5/file`]: "1", [`${id}.${sum}.1`]: "1", [`${id}.part-1.1`]: "1", "not ours": "1" });
  await desk.journal.sweep();
  expect(inventory(desk.dir)).toHaveLength(5);

  await deskAt(base, { now: () => Date.now() + HOUR + 1000 }).journal.sweep();
  expect(inventory(desk.dir)).toEqual(["U", "not ours"]);
});

test("a change that is under way is left alone, and what it keeps as well", async () => {
  const base = freshDir();
  const desk = deskAt(base, { maxBytes: 10 * MiB });
  plant(desk.root, { a: Buffer.alloc(4 * MiB, "a") });
  const change = begin(desk);
  await desk.run(rewrite(desk, change, "a", "1"));
  for (const each of [desk, deskAt(base, { maxBytes: 10 * MiB, now: () => Date.now() + 80 * HOUR })]) {
    await each.journal.sweep();
    expect(inventory(desk.dir)).toHaveLength(2);
  }
  // Nor does it make room for others.
  for (let turn = 0; turn < 4; turn++) {
    plant(desk.root, { b: Buffer.alloc(2 * MiB, turn) });
    await changed(desk, (other) => rewrite(desk, other, "b", "1"));
  }
  await desk.run(change.finish());
  expect((await desk.journal.list(OWNER.owner, 10)).map(({ paths }) => paths)).toContainEqual([]);
  await desk.run(begin(desk).finish());
  const ids = (await desk.journal.list(OWNER.owner, 10)).map(({ id }) => id);
  await desk.journal.undo(ids.at(-1) ?? "", OWNER);
  expect(readFileSync(join(desk.root, "a")).length).toBe(4 * MiB);
});

test("the change of a process that cannot be seen from here is left alone for a day", async () => {
  const base = freshDir();
  const desk = deskAt(base);
  const id = await changed(desk, (change) => create(desk, change, "a", "1"));
  // Another container's.
  const log = readFileSync(join(desk.dir, id), "utf8").replace(/"writer":"[^"]*"/, '"writer":"llmc1 elsewhere 1 1"');
  writeFileSync(join(desk.dir, `${id}.open`), log);
  execFileSync("rm", [join(desk.dir, id)]);
  for (const [hours, files] of [
    [0, [`${id}.open`]],
    [23, [`${id}.open`]],
    [25, [id]],
  ] as const) {
    await deskAt(base, { now: () => Date.now() + hours * HOUR }).journal.sweep();
    expect(readdirSync(desk.dir).filter((name) => name !== "trash")).toEqual(files);
  }
  expect((await desk.journal.undo(id, OWNER)).undone).toHaveLength(1);
});

test("a sweep that is ended leaves the rest to the next", async () => {
  const base = freshDir();
  const desk = deskAt(base);
  mkdirSync(join(desk.root, "d"));
  for (let at = 0; at < 2000; at++) writeFileSync(join(desk.root, `d/${at}`), "");
  await changed(desk, (change) => create(desk, change, "a", "1"));
  renameSync(join(desk.root, "d"), join(desk.dir, "trash", "d"));
  const sweep = desk.journal.sweep();
  await new Promise((resolve) => setImmediate(resolve));
  desk.journal.close();
  await sweep;
  const left = readdirSync(join(desk.dir, "trash"));
  expect(left).toEqual(["d"]);
  await deskAt(base).journal.sweep();
  expect(readdirSync(join(desk.dir, "trash"))).toEqual([]);
});

test("a journal that is closed sweeps no more, and one that was never used sweeps nothing", async () => {
  const desk = freshDesk();
  desk.journal.close();
  await desk.journal.sweep();
  expect(existsSync(desk.dir)).toBe(false);
});
