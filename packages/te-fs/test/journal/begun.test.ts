import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundled, run } from "../state/programs.js";
import { failure, freshDir, plant } from "../tree.js";
import { OWNER } from "./acts.js";
import { deskAt } from "./desk.js";

const FRESH = { ...OWNER, session: "fresh" };

test("what a killed server had begun is named at once, to its owner, and is taken back by its id", async () => {
  const base = freshDir();
  plant(join(base, "root"), { a: "old" });
  const child = run([process.execPath, await bundled("../../journal/programs/begin"), base]);
  await child.says("begun");
  const desk = deskAt(base);
  // While its server lives it is nobody else's.
  expect([await desk.journal.list("me", 10), (await failure(desk.journal.undoLast(FRESH))).hint]).toEqual([
    [],
    "Nothing is kept that could be taken back.",
  ]);
  await child.kill();

  const { code, hint = "" } = await failure(desk.journal.undoLast(FRESH));
  const [id = "none"] = /U_\w+/.exec(hint) ?? [];
  expect([code, hint.includes(`${id} (diff a, `)]).toEqual(["NOT_FOUND", true]);
  expect((await failure(desk.journal.undo("U_none", FRESH))).hint).toContain(id);
  expect((await desk.journal.list("me", 10)).map((each) => each.id)).toEqual([id]);
  expect((await failure(desk.journal.undo(id, { ...FRESH, owner: "somebody else" }))).hint).not.toContain("U_");
  const { undone } = await desk.journal.undo(id, FRESH);
  expect(undone.map(({ how }) => how)).toEqual(["is removed", "has its old content"]);
  expect([readFileSync(join(desk.root, "a"), "utf8"), existsSync(join(desk.root, "new"))]).toEqual(["old", false]);
});

test("the session that goes on after a crash takes it back as its last change", async () => {
  const base = freshDir();
  plant(join(base, "root"), { a: "old" });
  const child = run([process.execPath, await bundled("../../journal/programs/begin"), base]);
  await child.says("begun");
  await child.kill();
  await deskAt(base).journal.undoLast({ ...OWNER, session: "theirs" });
  expect(readFileSync(join(base, "root", "a"), "utf8")).toBe("old");
});
