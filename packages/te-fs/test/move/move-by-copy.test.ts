import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { copyTree } from "../../../te-path/src/copy/copy-tree.js";
import { copyPath, movePath } from "../one-path.js";

import { Progress } from "../../../te-path/src/tree/progress.js";
import { bundle, start } from "../child.js";
import { fuse } from "../../../te-path/test/fuse.js";
import { hooked } from "../hooked.js";
import { otherDisk } from "../../../te-path/test/other-disk.js";
import { hold, runHere } from "../../../te-path/test/run-here.js";
import { snapshot } from "../../../te-path/test/snapshot.js";
import { failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { ME, undoLast, workshop, type Workshop } from "../workshop.js";

type Skip = (note: string) => never;

/** A root in which `disk` is another file system. */
function twoDisks(skip: Skip, options?: string): Workshop & { readonly disk: string } {
  const shop = workshop();
  return { ...shop, disk: otherDisk(`${shop.root}/disk`, skip, options) };
}

function plantVaried(dir: string): void {
  plant(dir, { "d/a": "1", "d/e/f": "2".repeat(2_000_000), "d/e/empty": "", "d/out": { to: "/etc" }, "d/0": null });
  linkSync(join(dir, "d/a"), join(dir, "d/e/second"));
  writeFileSync(Buffer.concat([Buffer.from(join(dir, "d/")), Buffer.from([0xff, 0x0a])]), "bytes");
  chmodSync(join(dir, "d/a"), 0o4604);
  chmodSync(join(dir, "d/e"), 0o2750);
  if (process.getuid?.() === 0)
    execFileSync("chown", ["-h", "12345:54321", join(dir, "d/e/f"), join(dir, "d/out"), join(dir, "d/0")]);
  execFileSync("find", [join(dir, "d"), "-exec", "touch", "-h", "-d", "2020-02-03T04:05:06.789012Z", "{}", "+"]);
}

function below(dir: string): object {
  return { top: lstatSync(dir).mode, all: snapshot(dir) };
}

test("a tree goes to another file system whole, and comes back", async ({ skip }) => {
  const shop = twoDisks(skip);
  plantVaried(shop.root);
  const before = below(join(shop.root, "d"));
  expect(await movePath(shop.undo, shop.guard, "d", "disk", ME)).toEqual({
    source: `${shop.root}/d`,
    target: `${shop.root}/disk/d`,
    replaced: false,
    wasChanged: false,
    copied: { entries: 9, bytes: expect.any(Number) },
    left: false,
    undo: { id: expect.any(String), held_bytes: 0 },
  });
  expect([readdirSync(shop.root), readdirSync(shop.disk), [...shop.temps]]).toEqual([["disk"], ["d"], []]);
  expect(below(join(shop.disk, "d"))).toEqual(before);
  expect(lstatSync(join(shop.disk, "d/a")).ino).toBe(lstatSync(join(shop.disk, "d/e/second")).ino);
  await undoLast(shop);
  expect([below(join(shop.root, "d")), readdirSync(shop.disk)]).toEqual([before, []]);
});

test("single files and links go as well, and replace what is there only when that is asked for", async ({ skip }) => {
  const shop = twoDisks(skip);
  plant(shop.root, { f: "new", l: { to: "nowhere" }, "disk/f": "old", "disk/e": null });
  expect(await failure(movePath(shop.undo, shop.guard, "f", "disk", ME))).toMatchObject({ code: "ALREADY_EXISTS" });
  expect(await movePath(shop.undo, shop.guard, "f", "disk", { ...ME, overwrite: true })).toMatchObject({
    replaced: true,
  });
  expect(snapshot(shop.disk)["f"]).toMatchObject({ content: "new" });
  await undoLast(shop);
  expect([snapshot(shop.disk)["f"]?.content, snapshot(shop.root)["f"]?.content]).toEqual(["old", "new"]);
  expect(await movePath(shop.undo, shop.guard, "l", "disk/m", ME)).toMatchObject({ copied: { entries: 1, bytes: 7 } });
  expect(snapshot(shop.disk)["m"]).toMatchObject({ target: "nowhere" });
  plant(shop.root, { "e/x": "" });
  expect(await movePath(shop.undo, shop.guard, "e", "disk", { ...ME, overwrite: true })).toMatchObject({
    replaced: true,
  });
  expect(readdirSync(join(shop.disk, "e"))).toEqual(["x"]);
  expect([...shop.temps]).toEqual([]);
});

test("a target that somebody else makes, changes or removes during the copy is not lost", async ({ skip }) => {
  const shop = twoDisks(skip);
  plant(shop.root, { f: "new", "disk/f": "old" });
  const target = join(shop.disk, "f");
  // Once there is a temporary name, the copy has begun.
  const during = (work: () => void) => hooked(shop.undo, () => (shop.temps.size > 0 ? work() : undefined));
  const replace = during(() => {
    writeFileSync(join(shop.disk, "next"), "theirs");
    renameSync(join(shop.disk, "next"), target);
  });
  const refusal = { code: "ALREADY_EXISTS", hint: "Somebody else put it there meanwhile: look at it, then try again." };
  const wish = { ...ME, overwrite: true };
  expect(await failure(movePath(replace, shop.guard, "f", "disk", wish))).toMatchObject(refusal);
  expect([snapshot(shop.disk)["f"]?.content, readdirSync(shop.disk), readdirSync(shop.root)]).toEqual([
    "theirs",
    ["f"],
    ["disk", "f"],
  ]);
  rmSync(target);
  expect(await failure(movePath(replace, shop.guard, "f", "disk", wish))).toMatchObject(refusal);
  const write = during(() => writeFileSync(target, "THEIRS"));
  expect(await movePath(write, shop.guard, "f", "disk", wish)).toMatchObject({ replaced: true });
  await undoLast(shop);
  expect(snapshot(shop.disk)["f"]?.content).toBe("THEIRS");
  shop.guard.marks.forget(ME.session, "/");
  const remove = during(() => rmSync(target, { force: true }));
  expect(await movePath(remove, shop.guard, "f", "disk", wish)).toMatchObject({ target });
  await undoLast(shop);
  expect([readdirSync(shop.disk), readdirSync(shop.root)]).toEqual([[], ["disk", "f"]]);
});

test("two mounts of one file system look alike and still need a copy", async ({ skip }) => {
  const shop = workshop();
  const bound = `${shop.root}/bound`;
  plant(shop.root, { "real/x": "", "d/a": "1", f: "new" });
  plant(bound, { f: "old" });
  try {
    mkdirSync(`${shop.base}/elsewhere`);
    writeFileSync(`${shop.base}/elsewhere/f`, "old");
    execFileSync("mount", ["--bind", `${shop.base}/elsewhere`, bound], { stdio: "ignore" });
  } catch {
    return skip("mounts need rights that this user does not have");
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", bound]));
  expect(await movePath(shop.undo, shop.guard, "d", "bound", ME)).toMatchObject({ copied: { entries: 2 } });
  expect(await movePath(shop.undo, shop.guard, "f", "bound", { ...ME, overwrite: true })).toMatchObject({
    replaced: true,
  });
  expect([readdirSync(bound).toSorted(), readdirSync(shop.root).toSorted()]).toEqual([
    ["d", "f"],
    ["bound", "real"],
  ]);
  // What was replaced was kept once, although the rename came in vain.
  expect(await undoLast(shop)).toMatchObject({ undone: [expect.anything(), expect.anything()], skipped: [] });
  expect([snapshot(bound)["f"]?.content, snapshot(shop.root)["f"]?.content]).toEqual(["old", "new"]);
});

test("a full disk leaves the source whole and nothing on the disk", async ({ skip }) => {
  const shop = twoDisks(skip, "size=1m");
  plantVaried(shop.root);
  const before = below(join(shop.root, "d"));
  for (const go of [movePath, copyPath]) {
    expect(await failure(go(shop.undo, shop.guard, "d", "disk", ME))).toEqual({
      code: "WRITE_FAILED",
      message: `the copy of ${shop.root}/d/e/f could not be written: the disk is full`,
      remedy: { id: "free-space" },
    });
    expect([below(join(shop.root, "d")), readdirSync(shop.disk), [...shop.temps]]).toEqual([before, [], []]);
  }
  const single = await failure(movePath(shop.undo, shop.guard, "d/e/f", "disk", ME));
  expect(single.message).toBe(`the copy of ${shop.root}/d/e/f could not be written: the disk is full`);
  expect(readdirSync(shop.disk)).toEqual([]);
});

test("a read-only file system is refused before anything is copied", async ({ skip }) => {
  const shop = twoDisks(skip);
  plant(shop.root, { "d/a": "1", "disk/own/b": "2" });
  execFileSync("mount", ["-o", "remount,ro", shop.disk]);
  const refusal = { code: "WRITE_FAILED", message: expect.stringContaining("the file system is read-only") };
  expect(await failure(movePath(shop.undo, shop.guard, "d", "disk", ME))).toMatchObject(refusal);
  expect(await failure(movePath(shop.undo, shop.guard, "disk/own", "own", ME))).toMatchObject(refusal);
  expect(await copyPath(shop.undo, shop.guard, "disk/own", "own", ME)).toMatchObject({
    copied: { entries: 2, bytes: 1 },
  });
});

test("a cancel in the middle of the copy leaves the source whole and nothing of the copy", async ({ skip }) => {
  const shop = twoDisks(skip);
  plantVaried(shop.root);
  const before = below(join(shop.root, "d"));
  const controller = new AbortController();
  const seen: string[] = [];
  const undo = hooked(shop.undo, (shown) => {
    seen.push(shown);
    if (seen.filter((path) => path.startsWith(`${shop.root}/d/`)).length === 4) controller.abort();
  });
  expect(await failure(movePath(undo, shop.guard, "d", "disk", { ...ME, signal: controller.signal }))).toMatchObject({
    code: "CANCELLED",
  });
  expect([below(join(shop.root, "d")), readdirSync(shop.disk), [...shop.temps]]).toEqual([before, [], []]);
  expect(await shop.journal.list("me", 9)).toEqual([]);
});

test("what others change or add while it is copied stays in the source, and that is told", async ({ skip }) => {
  const shop = twoDisks(skip);
  plant(shop.root, { "d/1": "one", "d/2": "two", "d/3": "three", "d/e/x": "x" });
  const files = new Set<string>();
  const undo = hooked(shop.undo, (shown) => {
    if (!/\/d\/\d$/.test(shown) || files.has(shown)) return;
    files.add(shown);
    // The one before this has been copied by now.
    if (files.size === 3) {
      appendFileSync([...files][1] as string, " and more");
      writeFileSync(join(shop.root, "d/e/new"), "new");
    }
  });
  const moved = await movePath(undo, shop.guard, "d", "disk", ME);
  const changed = ([...files][1] as string).slice(shop.root.length + 1);
  expect(moved).toMatchObject({ left: true, undo: null, undo_reason: "what changed meanwhile is still in the source" });
  // What was added before its folder came up was copied like the rest.
  const left = readdirSync(shop.root, { recursive: true, encoding: "utf8" }).filter((path) => /^d(\/|$)/.test(path));
  expect(left.toSorted()).toEqual(["d", changed]);
  expect(readdirSync(shop.disk, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
    "d",
    "d/1",
    "d/2",
    "d/3",
    "d/e",
    "d/e/new",
    "d/e/x",
  ]);
});

test("a file that is written to all the time is not copied half", async () => {
  const shop = workshop();
  plant(shop.root, { "d/log": "x", "d/other": "x" });
  const undo = hooked(shop.undo, (shown) => {
    if (shown.endsWith("/log")) setImmediate(() => appendFileSync(shown, "more"));
  });
  // A file of this size is read in the thread pool: the writer gets its turn in the middle.
  writeFileSync(join(shop.root, "d/log"), Buffer.alloc(3_000_000, 1));
  expect(await failure(copyPath(undo, shop.guard, "d", "c", ME))).toEqual({
    code: "WRITE_FAILED",
    message: `${shop.root}/d/log could not be written: it changes while it is copied`,
    hint: "Try again when nothing writes to it.",
  });
  expect(readdirSync(shop.root)).toEqual(["d"]);
});

test("what goes away while it is copied is not missed", async ({ skip }) => {
  const shop = twoDisks(skip);
  plant(shop.root, { "d/1": "", "d/2": "", "d/e/x": "" });
  let isFirst = true;
  const undo = hooked(shop.undo, (shown) => {
    if (!/\/d\/\d$/.test(shown) || !isFirst) return;
    isFirst = false;
    for (const other of ["1", "2"]) if (!shown.endsWith(other)) rmSync(join(shop.root, "d", other));
    rmSync(join(shop.root, "d/e"), { recursive: true });
  });
  expect(await movePath(undo, shop.guard, "d", "disk", ME)).toMatchObject({ left: false, copied: { entries: 2 } });
  expect(existsSync(join(shop.root, "d"))).toBe(false);
});

test("a copy that would meet itself by another mount of its source ends", async ({ skip }) => {
  const shop = workshop();
  plant(shop.root, { "d/a": "1", "d/e/f": "2", alias: null });
  try {
    execFileSync("mount", ["--bind", `${shop.root}/d`, `${shop.root}/alias`], { stdio: "ignore" });
  } catch {
    return skip("mounts need rights that this user does not have");
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", `${shop.root}/alias`]));
  for (const go of [copyPath, movePath])
    expect(await failure(go(shop.undo, shop.guard, "d", "alias/e/in", ME))).toMatchObject({
      code: "INVALID_PATH",
      message: `${shop.root}/d would be copied into itself`,
    });
  expect(readdirSync(join(shop.root, "d"), { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
    "a",
    "e",
    "e/f",
  ]);
});

test("a folder that holds a mount is not copied", async ({ skip }) => {
  const shop = twoDisks(skip);
  plant(shop.root, { "disk/x": "" });
  mkdirSync(`${shop.base}/root/t`);
  otherDisk(`${shop.root}/t/m`, skip);
  expect(await failure(copyPath(shop.undo, shop.guard, "t", "c", ME))).toMatchObject({
    code: "PERMISSION_DENIED",
    hint: `${shop.root}/t/m is a mount point: copy what lies in it itself.`,
  });
});

test("a source that cannot be removed is not left beside its copy; one that can only in part is told", async ({
  skip,
}) => {
  const shop = twoDisks(skip);
  // In a sticky folder one may make files, and remove only one's own.
  plant(shop.root, { "sticky/theirs": "1", "d/mine": "2", "d/t/theirs": "3", "e/t/theirs": "4", "disk/e": null });
  execFileSync("chown", ["-R", "65534:65534", join(shop.root, "d"), join(shop.root, "e"), shop.disk]);
  for (const path of ["sticky", "d/t", "e/t"]) {
    execFileSync("chown", ["-R", "0:0", join(shop.root, path)]);
    chmodSync(join(shop.root, path), 0o1777);
  }
  plant(shop.root, { "f/mine": "5", "f/shut/x": "6" });
  execFileSync("chown", ["-R", "65534:65534", join(shop.root, "f")]);
  chmodSync(join(shop.root, "f/shut"), 0o555);
  chmodSync(shop.base, 0o755);
  chmodSync(shop.root, 0o777);
  const calls = [
    ["move", ["sticky/theirs", "disk/new"], {}],
    ["move", ["e", "disk"], { overwrite: true }],
    ["move", ["d", "disk"], {}],
    ["undo", [], {}],
    ["move", ["f", "disk"], {}],
  ];
  const stateDir = `${shop.base}/state`;
  mkdirSync(stateDir);
  chownSync(stateDir, 65534, 65534);
  const child = start(await bundle("work"), [JSON.stringify({ roots: [shop.root], stateDir, uid: 65534, calls })]);
  const answers = (await child.output)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { code: string; message: string });
  const code = "PERMISSION_DENIED";
  expect(answers).toMatchObject([
    { code, message: `No permission for ${shop.root}/sticky/theirs`, hint: expect.stringContaining("sticky") },
    { code, message: `No permission for ${shop.root}/e/t/theirs` },
    {
      code,
      message: `No permission for ${shop.root}/d/t/theirs; ${shop.root}/disk/d is whole; entries of the source that are gone: 1`,
    },
    // What is in both places can be taken out of neither by an undo.
    { code: "NOT_FOUND", message: expect.stringContaining("cannot be undone: the source is still there in part") },
    {
      code,
      message: `No permission for ${shop.root}/f/shut`,
      hint: expect.stringContaining("The folder is not writable"),
    },
  ]);
  const list = (path: string) =>
    readdirSync(join(shop.root, path), { recursive: true, encoding: "utf8" }).toSorted((a, b) => (a < b ? -1 : 1));
  expect([list("sticky"), list("e"), list("d"), list("disk")]).toEqual([
    ["theirs"],
    ["t", "t/theirs"],
    ["t", "t/theirs"],
    // The folder that was replaced is back.
    ["d", "d/mine", "d/t", "d/t/theirs", "e"],
  ]);
});

test("who cannot keep the owner does not keep setuid: it would hand out his own rights", async ({ skip }) => {
  const shop = twoDisks(skip);
  plant(shop.root, { "own/program": "x" });
  chmodSync(join(shop.root, "own/program"), 0o6755);
  chmodSync(shop.base, 0o755);
  for (const path of [join(shop.root, "own"), shop.disk]) chownSync(path, 65534, 65534);
  const calls = [["move", ["own/program", "disk"], {}]];
  await start(await bundle("work"), [JSON.stringify({ roots: [shop.root], uid: 65534, calls })]).output;
  const { mode, uid } = lstatSync(join(shop.disk, "program"));
  expect([mode & 0o7777, uid]).toEqual([0o755, 65534]);
});

test("a mount that stops answering in the middle of a copy leaves nothing on the other side", async ({ skip }) => {
  const { dir, stop, resume } = await fuse(skip, { "d/1": "1", "d/2": "2", "d/3": "3" });
  onTestFinished(resume);
  const shop = workshop(dir, { networkTimeoutMs: 300 });
  let judged = 0;
  const undo = hooked(shop.undo, (shown) => {
    if (shown.includes("/d/") && (judged += 1) === 2) stop();
  });
  expect(await failure(movePath(undo, shop.guard, "mnt/d", "here", ME))).toMatchObject({ code: "TIMEOUT" });
  expect([readdirSync(shop.root), [...shop.temps]]).toEqual([["mnt"], []]);
  resume();
  expect(await movePath(shop.undo, shop.guard, "mnt/d", "here", ME)).toMatchObject({ copied: { entries: 4 } });
});

test("a name that is taken is never cleared away for a copy", async () => {
  const root = plant(freshDir(), { "d/a": "1", "taken/b": "2", file: "3" });
  const options = { shown: "d", durable: false, privileges: false, progress: new Progress(undefined), *judge() {} };
  const folder = hold(root);
  for (const name of ["taken", "file"])
    expect(await failure(runHere(copyTree({ folder, name: "d" }, { folder, name }, options)))).toMatchObject({
      code: "EEXIST",
    });
  expect(readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
    "d",
    "d/a",
    "file",
    "taken",
    "taken/b",
  ]);
});
