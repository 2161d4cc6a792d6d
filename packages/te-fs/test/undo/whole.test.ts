import { linkSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBytes, type Files } from "../../src/index.js";
import { otherDisk } from "../../../te-path/test/other-disk.js";
import { failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn, text } from "../files.js";
import { OWNER } from "../../../te-undo/test/undo/acts.js";
import { photograph } from "../../../te-undo/test/undo/desk.js";

const OLD = new Date("2001-02-03T04:05:06.789Z");

interface Place {
  readonly root: string;
  readonly files: Files;
}

/** Everything as it is put together for the tools; the root may lie on another disk than the journal. */
function place(base: string, root = join(base, "root")): Place {
  plant(root, {});
  const stateDir = join(base, "data");
  return { root, files: filesIn(plant(root, { "here/.keep": "" }), { stateDir, privatePaths: [stateDir] }) };
}

function oldTree(root: string): void {
  plant(root, { "d/a": "1", "d/b/c": "2" });
  symlinkSync("../elsewhere", join(root, "d/link"));
  linkSync(join(root, "d/a"), join(root, "d/again"));
  writeFileSync(join(root, "d/run"), "", { mode: 0o755 });
  for (const name of ["d/a", "d/b/c", "d/run", "d/b", "d"]) utimesSync(join(root, name), OLD, OLD);
}

test("a tree that is deleted through the tools comes back whole, by a rename", async () => {
  const { root, files } = place(freshDir());
  oldTree(root);
  const [before, { ino }] = [photograph(root), statSync(join(root, "d"))];
  const { undo } = await files.remove("d", { ...OWNER, recursive: true });
  expect(undo).toEqual({ id: expect.any(String), held_bytes: expect.any(Number) });
  expect(Object.keys(photograph(root))).toEqual(["here", "here/.keep"]);

  await files.undo(undefined, OWNER);
  expect(photograph(root)).toEqual(before);
  expect(statSync(join(root, "d")).ino).toBe(ino);
});

test("a tree on another disk comes back whole as a copy, and goes once more", async ({ skip }) => {
  const base = freshDir();
  const { root, files } = place(base, otherDisk(join(base, "disk"), skip));
  oldTree(root);
  const before = photograph(root);
  await files.remove("d", { ...OWNER, recursive: true });
  const undone = await files.undo(undefined, OWNER);
  expect(photograph(root)).toEqual(before);
  expect(statSync(join(root, "d/a")).ino).toBe(statSync(join(root, "d/again")).ino);

  await files.undo(undone.undo?.id, OWNER);
  expect(Object.keys(photograph(root))).toEqual(["here", "here/.keep"]);
  await files.undo(undefined, OWNER);
  expect(photograph(root)).toEqual(before);
});

test("files on another disk than the journal are taken back as well", async ({ skip }) => {
  const base = freshDir();
  const { root, files } = place(base, otherDisk(join(base, "disk"), skip));
  plant(root, { small: "old", large: Buffer.alloc(3_000_000, "old ") });
  for (const name of ["small", "large"]) utimesSync(join(root, name), OLD, OLD);
  const before = photograph(root);
  const ids: string[] = [];
  for (const name of ["small", "large", "new"]) {
    const { undo } = await files.write(name, Buffer.from("new"), { ...OWNER, mode: "rewrite" });
    ids.push(undo?.id ?? "none");
  }
  for (const id of ids) await files.undo(id, OWNER);
  expect(photograph(root)).toEqual(before);
});

test("what was moved to another disk is moved back", async ({ skip }) => {
  const base = freshDir();
  const { root, files } = place(base);
  otherDisk(join(root, "disk"), skip);
  oldTree(root);
  const before = photograph(join(root, "d"));
  await files.move("d", "disk/moved", OWNER);
  expect(photograph(join(root, "disk/moved"))).toEqual(before);
  const undone = await files.undo(undefined, OWNER);
  expect([photograph(join(root, "d")), photograph(join(root, "disk"))]).toEqual([before, {}]);

  await files.undo(undone.undo?.id, OWNER);
  expect(photograph(join(root, "disk/moved"))).toEqual(before);
  await files.undo(undefined, OWNER);
  expect([photograph(join(root, "d")), photograph(join(root, "disk"))]).toEqual([before, {}]);
});

test("another name of what was deleted or rewritten stays readable", async () => {
  const { root, files } = place(freshDir());
  oldTree(root);
  linkSync(join(root, "d/b/c"), join(root, "here/c"));
  await files.remove("d", { ...OWNER, recursive: true });
  expect(await text(files, "here/c")).toBe("2");
  await files.write("here/c", Buffer.from("3"), { ...OWNER, mode: "append" });
  expect(await text(files, "here/c")).toBe("23");
});

test("our own state is still closed by whatever name it has", async () => {
  const base = freshDir();
  const { root, files } = place(base);
  plant(base, { "data/token": "secret" });
  linkSync(join(base, "data/token"), join(root, "token"));
  expect(await failure(files.open("token"))).toMatchObject({ code: "INVALID_PATH" });
});

test("the session that took a change back is not told that somebody changed the file", async () => {
  const { root, files } = place(freshDir());
  plant(root, { a: "1" });
  await using file = await files.read("a", { session: OWNER.session });
  await readBytes(file, { offset: 0, length: 1 });
  await files.write("a", Buffer.from("2"), { ...OWNER, mode: "rewrite" });
  await files.undo(undefined, OWNER);
  const { wasChanged } = await files.write("a", Buffer.from("3"), { ...OWNER, mode: "rewrite" });
  expect(wasChanged).toBe(false);
  expect(readFileSync(join(root, "a"), "utf8")).toBe("3");
});
