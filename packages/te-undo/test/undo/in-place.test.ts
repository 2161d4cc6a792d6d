import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  linkSync,
  openSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { put, truncate, type Work } from "../../../te-path/src/kernel/syscalls.js";
import type { Change } from "../../src/store/change.js";
import type { Target } from "../../../te-path/src/scope/target.js";
import { sha256OfBytes } from "../../../te-path/src/content/content-hash.js";
import { withEntry, withOpen } from "../../../te-path/src/content/open-entry.js";
import { failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { append, at, begin, changed, OWNER, rewrite, type Desk } from "./acts.js";
import { deskAt, freshDesk, photograph } from "./desk.js";

const OLD = new Date("2001-02-03T04:05:06.789Z");

/** As a file is rewritten that no other can take the place of; `writes` is how much of it is done. */
function* overwrite(desk: Desk, change: Change, name: string, text: string, writes = text): Work<void> {
  yield* at(desk, name, (target) =>
    withEntry(target, (entry) =>
      withOpen(entry, constants.O_WRONLY, function* (file) {
        const before = yield* change.keep(entry, target.found as NonNullable<Target["found"]>, { durable: true });
        expect(change.isHeld).toBe(true);
        const bytes = Buffer.from(text);
        change.note({
          did: "rewrote",
          path: target.real,
          before,
          after: { sha256: sha256OfBytes(bytes), size: bytes.length },
        });
        yield* put(file, Buffer.from(writes), 0);
        if (writes === text) yield* truncate(file, bytes.length);
      }),
    ),
  );
}

/** A file that no other can take the place of. */
function bound(path: string, skip: (note: string) => never): void {
  try {
    execFileSync("mount", ["--bind", path, path], { stdio: "ignore" });
  } catch {
    skip("mounts need rights that this user does not have");
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", path]));
}

test.for([
  ["small", "old"],
  ["large", "old ".repeat(100_000)],
] as const)("a %s file that is a mount point is taken back in place, and once more", async ([, old], { skip }) => {
  const desk = freshDesk();
  plant(desk.root, { a: old });
  const path = join(desk.root, "a");
  utimesSync(path, OLD, OLD);
  const { ino } = statSync(path);
  bound(path, skip);
  const before = photograph(desk.root);
  const id = await changed(desk, (change) => overwrite(desk, change, "a", "new and longer"));
  const undone = await desk.journal.undo(id, OWNER);
  expect(photograph(desk.root)).toEqual(before);
  expect(statSync(path).ino).toBe(ino);
  await desk.journal.undo(undone.undo?.id ?? "", OWNER);
  expect(readFileSync(path, "utf8")).toBe("new and longer");
});

test.for([0, 3, 6])("what a killed server had overwritten up to byte %i is taken back", async (done) => {
  const base = freshDir();
  const desk = deskAt(base);
  plant(desk.root, { a: "the old content" });
  const change = begin(desk);
  await desk.run(overwrite(desk, change, "a", "newest", "newest".slice(0, done)));
  // Left as if killed here: its writer is dead.
  const { id } = await died(desk);
  const { undone, skipped } = await desk.journal.undo(id, OWNER);
  expect([undone.length, skipped.length]).toEqual(done === 0 ? [0, 1] : [1, 0]);
  expect(readFileSync(join(desk.root, "a"), "utf8")).toBe("the old content");
});

test("what somebody else wrote in place into a file that was replaced is not taken for half a write", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: "the old content" });
  const change = begin(desk);
  await desk.run(rewrite(desk, change, "a", "newest"));
  const { id } = await died(desk);
  writeFileSync(join(desk.root, "a"), "not mine");
  expect(await failure(desk.journal.undo(id, OWNER))).toMatchObject({ code: "STALE_FILE" });
});

test.for([
  ["nothing", 3, [0, 1]],
  ["some", 5, [1, 0]],
  ["all", 9, [1, 0]],
] as const)("an append of which %s was made when the server was killed is taken back", async ([, size, counts]) => {
  const desk = freshDesk();
  plant(desk.root, { a: "old" });
  const change = begin(desk);
  await desk.run(append(desk, change, "a", " a new"));
  truncateSync(join(desk.root, "a"), size);
  const { id } = await died(desk);
  const { undone, skipped, undo } = await desk.journal.undo(id, OWNER);
  expect([undone.length, skipped.length]).toEqual(counts);
  expect(readFileSync(join(desk.root, "a"), "utf8")).toBe("old");
  if (undo === null) return;
  await desk.journal.undo(undo.id, OWNER);
  expect(readFileSync(join(desk.root, "a"), "utf8")).toBe("old a new".slice(0, size));
});

test("half an append to what was changed as well is not taken back", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: "old" });
  const change = begin(desk);
  await desk.run(append(desk, change, "a", " a new"));
  writeFileSync(join(desk.root, "a"), "OLD a");
  const { id } = await died(desk);
  expect(await failure(desk.journal.undo(id, OWNER))).toMatchObject({ code: "STALE_FILE" });
});

test("an append is taken back from one name only, when the file got another since", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: "old" });
  const id = await changed(desk, (change) => append(desk, change, "a", " and new"));
  linkSync(join(desk.root, "a"), join(desk.root, "b"));
  const { undo } = await desk.journal.undo(id, OWNER);
  expect([readFileSync(join(desk.root, "a"), "utf8"), readFileSync(join(desk.root, "b"), "utf8")]).toEqual([
    "old",
    "old and new",
  ]);
  await desk.journal.undo(undo?.id ?? "", OWNER);
  expect(readFileSync(join(desk.root, "a"), "utf8")).toBe("old and new");
});

test("content that a program went on writing to after the rewrite does not come back as if it were the old one", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: Buffer.alloc(2_000_000, "old ") });
  const path = join(desk.root, "a");
  const change = begin(desk);
  const fd = openSync(path, "r+");
  onTestFinished(() => closeSync(fd));
  await desk.run(rewrite(desk, change, "a", "new"));
  const { undo } = await desk.run(change.finish());
  writeSync(fd, "NEW", 0);
  expect(await failure(desk.journal.undo(undo?.id ?? "", OWNER))).toEqual({
    code: "STALE_FILE",
    message: `${path} cannot get its old content back: what was kept of it was changed, so nothing was undone`,
    hint: "Another program changed it: read it and change it by hand.",
  });
  expect(readFileSync(path, "utf8")).toBe("new");
});

/** Makes the entry that is being written look like one of a process that is gone, and lets the sweep find it. */
async function died(desk: Desk): Promise<{ readonly id: string }> {
  const [name = ""] = readdirSync(desk.dir).filter((each) => each.endsWith(".open"));
  const path = join(desk.dir, name);
  const writer = /"writer":"llmc1 (\S+) \d+ \d+"/;
  // No process has had that number since the machine was started.
  writeFileSync(path, readFileSync(path, "latin1").replace(writer, '"writer":"llmc1 $1 4194303 1"'), "latin1");
  await deskAt(join(desk.dir, "../.."), {}).journal.sweep();
  return { id: name.replace(".open", "") };
}
