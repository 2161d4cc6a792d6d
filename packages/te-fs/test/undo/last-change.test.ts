import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { shortName } from "@llmc/te-undo";
import { expect, test } from "vitest";
import type { Files, FilesOptions } from "../../src/index.js";
import { failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";
import { begin, changed, makeFolder, OWNER, rewrite } from "../../../te-undo/test/undo/acts.js";
import { deskAt } from "../../../te-undo/test/undo/desk.js";

const me = { owner: "o", session: "s" };

function site(options: Partial<FilesOptions> = {}): { readonly root: string; readonly files: Files } {
  const base = freshDir();
  const root = join(base, "root");
  mkdirSync(root);
  return { root, files: filesIn(root, { stateDir: join(base, "data"), ...options }) };
}

const write = (files: Files, path: string, text: string) =>
  files.write(path, Buffer.from(text), { ...me, mode: "rewrite" });

test("after a change that is not kept, no older one is taken back in its place", async () => {
  const { root, files } = site();
  plant(root, { d: "gone" });
  const { undo } = await write(files, "f", "new");
  expect((await files.remove("d", { ...me, secure: true })).undo).toBe(null);
  const refusal = await failure(files.undo(undefined, me));
  expect(refusal).toMatchObject({
    code: "NOT_FOUND",
    message: expect.stringMatching(
      /^The last change of this session \(delete .*\/d, .*Z\) cannot be undone: no copy was to be kept$/,
    ),
  });
  expect(existsSync(join(root, "f"))).toBe(true);
  // The hint leads to the one before, and that is the caller's to choose.
  const id = /\bu\d{9}\b/.exec(refusal.hint ?? "")?.[0];
  expect([id, refusal.hint]).toEqual([shortName(undo?.id ?? ""), expect.stringContaining(`(write ${root}/f, `)]);
  await files.undo(id, me);
  expect(existsSync(join(root, "f"))).toBe(false);
  expect(await failure(files.undo(undefined, me))).toMatchObject({
    message: refusal.message,
    hint: "Nothing before it is kept either.",
  });
  // From the next change on all is as usual.
  await write(files, "g", "new");
  await files.undo(undefined, me);
  expect(existsSync(join(root, "g"))).toBe(false);
});

test("why the last change is not kept is said, whatever the reason", async () => {
  const names = { enabled: "keep", maxBytes: "most" };
  const large = site({ undo: { enabled: true, maxBytes: 1000, maxAgeHours: 1, names } });
  plant(large.root, { f: "x".repeat(501) });
  await write(large.files, "f", "new");
  const off = site({ undo: { enabled: false, maxBytes: 1000, maxAgeHours: 1, names } });
  await write(off.files, "f", "new");
  const nowhere = site({ stateDir: null });
  await write(nowhere.files, "f", "new");
  const messages = [];
  for (const { files } of [large, off, nowhere]) messages.push((await failure(files.undo(undefined, me))).message);
  expect(messages).toEqual(
    ["its 501 bytes are more than half of most", "undo is off (keep)", "there is no data folder"].map((why) =>
      expect.stringMatching(new RegExp(`cannot be undone: ${why.replace(/[().]/g, "\\$&")}$`)),
    ),
  );
});

test("what changed nothing, failed, or is another session's is not the last change", async () => {
  const { root, files } = site();
  plant(root, { d: null, e: "" });
  await write(files, "f", "new");
  await files.makeFolders("d", me);
  await files.remove("e", { ...me, session: "other", secure: true });
  await failure(files.remove("nothing", { ...me, secure: true }));
  await files.undo(undefined, me);
  expect(existsSync(join(root, "f"))).toBe(false);
});

test("a session that has changed something is not told that it has changed nothing", async () => {
  const { files } = site();
  const message = async () => (await failure(files.undo(undefined, me))).message;
  const untouched = await message();
  await write(files, "f", "new");
  await files.undo(undefined, me);
  expect([untouched, await message()]).toEqual([
    "This session changed no file through file tools",
    "All changes of this session are undone already",
  ]);
});

test("a session whose changes had to make room is told that", async () => {
  let later = 0;
  const base = freshDir();
  const desk = deskAt(base, { maxAgeHours: 1, now: () => Date.now() + later });
  plant(desk.root, { a: "old" });
  await changed(desk, (change) => rewrite(desk, change, "a", "new"));
  const change = begin(desk);
  await desk.run(makeFolder(desk, change, "d"));
  await desk.run(change.rollBack());
  later = 2 * 3_600_000;
  expect((await failure(desk.journal.undoLast(OWNER))).message).toBe(
    "The changes of this session are no longer kept: too old, or dropped for newer ones",
  );
  expect(readFileSync(join(desk.root, "a"), "utf8")).toBe("new");
  // Another process cannot know.
  const next = deskAt(base, { maxAgeHours: 1, now: () => Date.now() + later });
  expect((await failure(next.journal.undoLast(OWNER))).message).toBe("This session changed no file through file tools");
});
