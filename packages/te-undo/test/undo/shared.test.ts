import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createLocks } from "../../src/locks/locks.js";
import { parseName } from "../../src/store/entry-name.js";
import { bundled, run } from "../locks/programs.js";
import { codeOf, freshDir, plant } from "../../../te-path/test/tree.js";
import { changed, MiB, OWNER, rewrite } from "./acts.js";
import { deskAt, inventory } from "./desk.js";

const SECONDS = process.env["LLMC_LONG"] === "1" ? 20 : 2;
const MAX_BYTES = 2 * MiB;

function bytesIn(dir: string): number {
  let total = 0;
  for (const name of readdirSync(dir)) {
    const bytes = parseName(name)?.bytes ?? 0;
    // What has gone since it was listed counts for nothing.
    total += bytes > 0 ? bytes : (lstatSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0);
  }
  return total;
}

test(
  "two processes keep the bound together, and neither takes what the other is at",
  { timeout: 120_000 },
  async () => {
    const base = freshDir();
    plant(join(base, "root"), { "one/file": "", "two/file": "" });
    const program = await bundled("../../undo/programs/fill-for-ever");
    const both = ["one", "two"].map((name) => run([process.execPath, program, base, name, String(MAX_BYTES)]));
    for (const each of both) await each.says("ready");
    const dir = join(base, "data/undo");
    const end = performance.now() + SECONDS * 1000;
    let [most, looks] = [0, 0];
    while (performance.now() < end || both.some(({ output }) => output().split(".").length < 4)) {
      await sleep(2);
      if (!existsSync(dir)) continue;
      most = Math.max(most, bytesIn(dir));
      looks += 1;
    }
    for (const each of both) await each.kill();
    expect(most).toBeLessThanOrEqual(MAX_BYTES);
    // The bound was met, or it would prove nothing.
    expect([most > MAX_BYTES / 2, looks > 20]).toEqual([true, true]);

    const desk = deskAt(base, { maxBytes: MAX_BYTES });
    await desk.journal.sweep();
    for (const session of ["one", "two"]) {
      const { undone } = await desk.journal.undoLast({ ...OWNER, session });
      expect(undone.length).toBeGreaterThan(0);
    }
    await desk.journal.sweep();
    expect(inventory(dir).filter((name) => name.startsWith("trash/"))).toEqual([]);
  },
);

test("of two who take one change back at once, one does and the other is told so", async () => {
  const base = freshDir();
  const [one, two] = [deskAt(base), deskAt(base)];
  const locks = createLocks({ dir: null, waitMs: 1000 });
  const desks = [deskAt(base, { locks }), deskAt(base, { locks })];
  plant(one.root, { a: "1" });
  const id = await changed(one, (change) => rewrite(one, change, "a", "2"));
  const codes = await Promise.all(desks.map((desk) => codeOf(desk.journal.undo(id, OWNER))));
  expect(codes.toSorted()).toEqual(["NOT_FOUND", "none"]);
  expect(await codeOf(two.journal.undo(id, OWNER))).toBe("NOT_FOUND");
});

test("what another server has changed can be taken back here", async () => {
  const base = freshDir();
  const [one, two] = [deskAt(base), deskAt(base)];
  plant(one.root, { a: "1" });
  await two.journal.sweep();
  const id = await changed(one, (change) => rewrite(one, change, "a", "2"));
  expect((await two.journal.list(OWNER.owner, 5)).map((each) => each.id)).toEqual([id]);
  expect((await two.journal.undo(id, OWNER)).undone).toHaveLength(1);
  expect(await one.journal.list(OWNER.owner, 5)).toEqual([]);
});
