import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundled, run } from "../../../te-undo/test/locks/programs.js";
import { failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";
import { shortName } from "@llmc/te-undo";
import { OWNER } from "../../../te-undo/test/undo/acts.js";
import { deskAt } from "../../../te-undo/test/undo/desk.js";

const FRESH = { ...OWNER, session: "fresh" };

test("what a killed server had begun is named at once, to its owner, and is taken back by its id", async () => {
  const base = freshDir();
  plant(join(base, "root"), { a: "old" });
  const child = run([process.execPath, await bundled("../../undo/programs/begin"), base]);
  await child.says("begun");
  const desk = deskAt(base);
  // While its server lives it is nobody else's.
  expect([await desk.journal.list("me", 10), (await failure(desk.journal.undoLast(FRESH))).hint]).toEqual([
    [],
    "Changes by commands cannot be undone here.",
  ]);
  await child.kill();

  const { code, hint = "" } = await failure(desk.journal.undoLast(FRESH));
  const [id = "none"] = /\bu\d{9}\b/.exec(hint) ?? [];
  expect([code, hint.includes(`${id} (diff a, `)]).toEqual(["NOT_FOUND", true]);
  expect(hint).toMatch(/Z, begun and cut short when its server was killed\)\.$/);
  expect((await failure(desk.journal.undo("U_none", FRESH))).hint).toContain(id);
  expect((await desk.journal.list("me", 10)).map((each) => shortName(each.id))).toEqual([id]);
  expect((await failure(desk.journal.undo(id, { ...FRESH, owner: "somebody else" }))).hint).not.toMatch(/\bu\d{9}\b/);
  const { undone } = await desk.journal.undo(id, FRESH);
  expect(undone.map(({ how }) => how)).toEqual(["is removed", "has its old content"]);
  expect([readFileSync(join(desk.root, "a"), "utf8"), existsSync(join(desk.root, "new"))]).toEqual(["old", false]);
});

test("the session that goes on after a crash takes it back as its last change", async () => {
  const base = freshDir();
  plant(join(base, "root"), { a: "old" });
  const child = run([process.execPath, await bundled("../../undo/programs/begin"), base]);
  await child.says("begun");
  await child.kill();
  await deskAt(base).journal.undoLast({ ...OWNER, session: "theirs" });
  expect(readFileSync(join(base, "root", "a"), "utf8")).toBe("old");
});

test("a diff that is killed between two of its files is told of at the next start, and taken back whole", async () => {
  const base = freshDir();
  const [root, stateDir] = [join(base, "root"), join(base, "data")];
  const names = Array.from({ length: 40 }, (_, nth) => `f${nth}`);
  plant(root, Object.fromEntries(names.map((name) => [name, "old\n"])));
  const child = run([
    process.execPath,
    await bundled("../../../../te-fs/test/undo/programs/diff-for-ever"),
    root,
    stateDir,
  ]);
  await child.says("half");
  await child.kill();
  const begun: string[] = [];
  const files = filesIn(root, { stateDir, onBegun: (id) => begun.push(id) });
  await files.sweep();
  const [id = "none"] = begun;
  expect(begun).toEqual([expect.stringMatching(/^U_\w+$/)]);
  expect((await failure(files.undo(undefined, FRESH))).hint).toContain(
    `${shortName(id)} (diff ${root}/f0 and 19 more, `,
  );
  await files.undo(id, FRESH);
  expect(new Set(names.map((name) => readFileSync(join(root, name), "utf8"))).size).toBe(1);
  // It is told once.
  await files.sweep();
  expect(begun.length).toBe(1);
});
