import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  lutimesSync,
  readFileSync,
  readdirSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Change } from "../../../te-undo/src/store/change.js";
import type { Undo } from "../../../te-undo/src/target/undo.js";
import { removePath } from "../one-path.js";
import type { RemoveOptions } from "../../src/remove/remove-path.js";
import { snapshot } from "../../../te-path/test/snapshot.js";
import { freshQuickDir, otherDisk } from "../../../te-path/test/other-disk.js";
import { plantDeep } from "../../../te-path/test/run-here.js";
import { failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { ME, undoLast, workshop, type Workshop } from "../workshop.js";

function remove(shop: Workshop, path: string, options: Partial<RemoveOptions> = {}) {
  return removePath(shop.undo, shop.guard, path, { ...ME, ...options });
}

const held = { undo: { id: expect.any(String), held_bytes: expect.any(Number) } };

test("a file goes into the journal, and comes back as it was", async () => {
  const shop = workshop();
  plant(shop.root, { "a/f": "content" });
  utimesSync(join(shop.root, "a/f"), 1e9, 1e9);
  chmodSync(join(shop.root, "a/f"), 0o640);
  const before = snapshot(shop.root);
  expect(await remove(shop, "a/f")).toEqual({ path: `${shop.root}/a/f`, removed: 1, wasChanged: false, ...held });
  expect(readdirSync(join(shop.root, "a"))).toEqual([]);
  await undoLast(shop);
  expect(snapshot(shop.root)["a/f"]).toEqual(before["a/f"]);
});

test("a folder goes only when recursive says so; then with all it holds, and comes back whole", async () => {
  const shop = workshop();
  plant(shop.root, { "d/a": "1", "d/e/f": "2", "d/l": { to: "/etc" }, "d/empty": null, other: "x" });
  linkSync(join(shop.root, "d/a"), join(shop.root, "d/e/second"));
  execFileSync("mkfifo", [join(shop.root, "d/pipe")]);
  writeFileSync(Buffer.concat([Buffer.from(join(shop.root, "d/")), Buffer.from([0xff])]), "bytes");
  chmodSync(join(shop.root, "d/e"), 0o750);
  const before = snapshot(shop.root);
  expect(await failure(remove(shop, "d"))).toEqual({
    code: "IS_DIRECTORY",
    message: `${shop.root}/d is a folder`,
    remedy: { id: "delete-recursively" },
  });
  expect(snapshot(shop.root)).toEqual(before);
  expect(await remove(shop, "d", { recursive: true })).toMatchObject({ removed: 9, ...held });
  expect(readdirSync(shop.root)).toEqual(["other"]);
  await undoLast(shop);
  expect(snapshot(shop.root)).toEqual(before);
});

test("a link goes itself, whatever it leads to", async () => {
  const shop = workshop();
  plant(shop.base, { "outside/f": "x", "root/d/f": "x" });
  plant(shop.root, { out: { to: "../outside" }, in: { to: "d" }, nowhere: { to: "no" } });
  for (const name of ["out", "in", "nowhere"]) expect(await remove(shop, name)).toMatchObject({ removed: 1 });
  expect([readdirSync(shop.root), readdirSync(`${shop.base}/outside`)]).toEqual([["d"], ["f"]]);
  plant(shop.root, { "t/out": { to: "../../outside" } });
  expect(await remove(shop, "t", { recursive: true, secure: true })).toMatchObject({ removed: 2 });
  expect(readdirSync(`${shop.base}/outside`)).toEqual(["f"]);
});

test("a FIFO and a socket go without being opened", async () => {
  const shop = workshop();
  execFileSync("mkfifo", [join(shop.root, "pipe")]);
  expect(await remove(shop, "pipe")).toMatchObject({ removed: 1, ...held });
  execFileSync("mkfifo", [join(shop.root, "pipe")]);
  expect(await remove(shop, "pipe", { secure: true })).toEqual({
    path: `${shop.root}/pipe`,
    removed: 1,
    wasChanged: false,
    undo: null,
    undo_reason: "no copy was to be kept",
  });
});

test("a dry run lists some names, counts all, and touches nothing", async () => {
  const shop = workshop();
  plant(shop.root, { "d/a": "x".repeat(5000), "d/b/c": "", "d/l": { to: "a" } });
  const before = snapshot(shop.root);
  const room = ["d", "d/a", "d/b", "d/b/c", "d/l"].reduce(
    (sum, each) => sum + lstatSync(join(shop.root, each)).blocks * 512,
    0,
  );
  const { would, ...rest } = await remove(shop, "d", { recursive: true, dryRun: true, maxListed: 100 });
  expect(rest).toEqual({ path: `${shop.root}/d`, removed: 0, wasChanged: false, undo: null });
  expect(would).toEqual({
    entries: 5,
    bytes: room,
    names: ["a", "b/", "l", "b/c"],
    folders: [{ name: "b/", entries: 1 }],
  });
  const few = await remove(shop, "d", { recursive: true, dryRun: true, maxListed: 1 });
  expect([few.would?.entries, few.would?.names.length]).toEqual([5, 1]);
  expect(snapshot(shop.root)).toEqual(before);
  expect(await shop.journal.list("me", 5)).toEqual([]);
});

test("what is not there, and what lies outside, is an error as it is for a read", async () => {
  const shop = workshop();
  plant(shop.base, { "outside/f": "x", "root/f": "x" });
  plant(shop.root, { out: { to: "../outside" } });
  const codes = [];
  for (const path of ["no", "f/x", "f/", "../outside/f", "out/f"]) codes.push((await failure(remove(shop, path))).code);
  expect(codes).toEqual(["NOT_FOUND", "NOT_A_DIRECTORY", "NOT_A_DIRECTORY", "INVALID_PATH", "INVALID_PATH"]);
});

test("what others stand on stays: a root and what holds one, our state, credentials, what others execute", async () => {
  const base = freshDir();
  plant(base, {
    "root/inner/f": "",
    "root/home/.ssh/id": "",
    "root/p/.git/config": "",
    "root/p/.git/hooks/x": "",
    "root/w/.envrc": "",
  });
  const shop = workshop(base, { roots: ["root", "root/inner"], homes: [`${base}/root/home`], deny: [".ssh"] });
  plant(shop.root, { "prog/main.js": "" });
  const before = snapshot(shop.root);
  const codes: Record<string, string> = {};
  for (const path of [".", "inner", "home", "home/.ssh", "p/.git/config", "p/.git/hooks", "w/.envrc"])
    codes[path] = (await failure(remove(shop, path, { recursive: true }))).code;
  expect(codes).toEqual({
    ".": "PERMISSION_DENIED",
    inner: "PERMISSION_DENIED",
    home: "PERMISSION_DENIED",
    "home/.ssh": "INVALID_PATH",
    "p/.git/config": "PERMISSION_DENIED",
    "p/.git/hooks": "PERMISSION_DENIED",
    "w/.envrc": "PERMISSION_DENIED",
  });
  expect(snapshot(shop.root)).toEqual(before);
  // A whole repository is the user's to delete.
  expect(await remove(shop, "p", { recursive: true })).toMatchObject({ removed: 5 });
});

test("a mount point stays, and so does a folder that holds one", async ({ skip }) => {
  const shop = workshop();
  plant(shop.root, { "d/f": "" });
  otherDisk(`${shop.root}/d/m`, skip);
  writeFileSync(`${shop.root}/d/m/inside`, "x");
  for (const path of ["d", "d/m"]) {
    expect(await failure(remove(shop, path, { recursive: true }))).toEqual({
      code: "PERMISSION_DENIED",
      message: `No permission for ${shop.root}/${path}`,
      hint: `${shop.root}/d/m is a mount point. Name what lies in it, or unmount it first.`,
    });
  }
  expect(await remove(shop, "d/m/inside")).toMatchObject({ removed: 1, ...held });
  await undoLast(shop);
  expect(snapshot(shop.root)["d/m/inside"]).toMatchObject({ content: "x" });
});

test("from another file system a tree is copied into the journal, and comes back whole", async ({ skip }) => {
  const shop = workshop(undefined, { roots: ["root"] });
  const disk = otherDisk(`${shop.root}/disk`, skip);
  plant(disk, { "d/a": "1", "d/e/f": "2".repeat(200_000), "d/l": { to: "/etc" } });
  linkSync(`${disk}/d/a`, `${disk}/d/e/second`);
  chmodSync(`${disk}/d/a`, 0o4604);
  chmodSync(`${disk}/d/e`, 0o710);
  for (const path of ["d/l", "d/a", "d/e/f", "d/e", "d"]) lutimesSync(`${disk}/${path}`, 1e9, 1e9 + 0.123456);
  const before = snapshot(disk);
  expect(await remove(shop, "disk/d", { recursive: true })).toMatchObject({ removed: 6, ...held });
  expect(snapshot(disk)).toEqual({});
  await undoLast(shop);
  expect(snapshot(disk)).toEqual(before);
  expect(lstatSync(`${disk}/d/a`).ino).toBe(lstatSync(`${disk}/d/e/second`).ino);
});

test("what cannot be copied into the journal goes all the same, and the result says that it is not kept", async ({
  skip,
}) => {
  const shop = workshop();
  const disk = otherDisk(`${shop.root}/disk`, skip);
  plant(disk, { "d/a": "1" });
  execFileSync("mkfifo", [`${disk}/d/pipe`]);
  expect(await remove(shop, "disk/d", { recursive: true })).toMatchObject({
    removed: 3,
    undo: null,
    undo_reason: "it is or holds a fifo, which cannot be copied",
  });
  expect(readdirSync(disk)).toEqual([]);
});

test("a journal on a full disk is not in the way", async ({ skip }) => {
  const base = freshDir();
  const small = otherDisk(`${base}/small`, skip, "size=10m,nr_inodes=14");
  const shop = workshop(base, { journal: { dir: `${small}/undo` } });
  plant(shop.root, Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`d/${at}`, "x"])));
  expect(await remove(shop, "d", { recursive: true })).toMatchObject({
    removed: 31,
    undo: null,
    undo_reason: expect.stringMatching(/^its copy failed: .* the disk is full$/),
  });
  expect(readdirSync(shop.root)).toEqual([]);
  // Nothing of the copy that failed takes room there.
  expect(readdirSync(`${small}/undo`, { recursive: true, encoding: "utf8" })).toEqual(["trash"]);
});

test("more than half of what the journal may hold is removed for good", async () => {
  const shop = workshop(undefined, { journal: { maxBytes: 100_000 } });
  plant(shop.root, { "d/big": Buffer.alloc(200_000, 1) });
  const { undo, undo_reason } = await remove(shop, "d", { recursive: true });
  expect([undo, undo_reason]).toEqual([null, expect.stringMatching(/bytes are more than half of what undo keeps/)]);
  expect(readdirSync(shop.root)).toEqual([]);
});

test("a file that somebody else changed since it was read stays, unless its content is named", async () => {
  const shop = workshop();
  const path = join(shop.root, "f");
  plant(shop.root, { f: "old" });
  shop.guard.marks.saw("s1", path, lstatSync(path, { bigint: true }));
  writeFileSync(path, "theirs");
  expect((await failure(remove(shop, "f"))).code).toBe("STALE_FILE");
  const sha = createHash("sha256").update("theirs").digest("hex");
  expect((await failure(remove(shop, "f", { expectedSha256: "0".repeat(64) }))).code).toBe("SHA_MISMATCH");
  expect(existsSync(path)).toBe(true);
  expect(await remove(shop, "f", { expectedSha256: sha })).toMatchObject({ removed: 1, wasChanged: false });
  expect(shop.seen()).toEqual([]);
});

test("where the guard only warns, the change is told", async () => {
  const shop = workshop(undefined, { staleGuard: "warn" });
  plant(shop.root, { f: "old" });
  const path = join(shop.root, "f");
  shop.guard.marks.saw("s1", path, lstatSync(path, { bigint: true }));
  writeFileSync(path, "theirs");
  expect(await remove(shop, "f")).toMatchObject({ removed: 1, wasChanged: true });
});

test("a dry run lists what is nearest to the top, by name, and never much of it", async () => {
  const shop = workshop();
  for (let nth = 0; nth < 300; nth++) plant(shop.root, { [`d/m/${999 - nth}`]: "" });
  plant(shop.root, { "d/z": "", "d/a/b": "", [`d/${"deep/".repeat(100)}end`]: "" });
  const namesOf = async (maxListed: number) =>
    (await remove(shop, "d", { recursive: true, dryRun: true, maxListed })).would?.names;
  expect(await namesOf(7)).toEqual(["a/", "deep/", "m/", "z", "a/b", "deep/deep/", "m/700"]);
  const [all, some] = [(await namesOf(1000)) ?? [], (await namesOf(100)) ?? []];
  expect([some.length, some]).toEqual([100, all.slice(0, 100)]);
  // Of deep trees a few names would be as long as many.
  expect(all.length).toBeLessThan(400);
  expect(all.join("").length).toBeLessThanOrEqual(8192);
});

test("a precondition on content is refused for what has none", async () => {
  const shop = workshop();
  execFileSync("mkfifo", [join(shop.root, "pipe")]);
  plant(shop.root, { "d/f": "", l: { to: "d/f" } });
  for (const path of ["pipe", "d", "l"]) {
    expect(await failure(remove(shop, path, { recursive: true, expectedSha256: "0".repeat(64) }))).toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  }
});

test(
  "a tree deeper than any path could say goes into the journal and back, and for good",
  { timeout: 60_000 },
  async () => {
    const depth = process.env["LLMC_LONG"] === "1" ? 5000 : 1500;
    const shop = workshop(freshQuickDir());
    plantDeep(shop.root, depth);
    expect(await remove(shop, "deeper", { recursive: true })).toMatchObject({ removed: depth + 1, ...held });
    await undoLast(shop);
    expect(await remove(shop, "deeper", { recursive: true, secure: true })).toMatchObject({
      removed: depth + 1,
      undo: null,
    });
    expect(readdirSync(shop.root)).toEqual([]);
  },
);

test("what replaces the file after it was looked at is put back", async () => {
  const shop = workshop();
  plant(shop.root, { f: "mine" });
  const path = join(shop.root, "f");
  const undo: Undo = {
    ...shop.undo,
    begin: (facts) =>
      hookedChange(shop.undo.begin(facts), () => {
        writeFileSync(join(shop.root, "g"), "theirs");
        renameSync(join(shop.root, "g"), path);
      }),
  };
  expect(await failure(removePath(undo, shop.guard, "f", ME))).toMatchObject({ code: "NOT_FOUND" });
  expect([readdirSync(shop.root), readFileSync(path, "utf8")]).toEqual([["f"], "theirs"]);
  expect(await shop.journal.list("me", 9)).toEqual([]);
});

/** Calls back when the journal has made room. */
function hookedChange(change: Change, before: () => void): Change {
  return new Proxy(change, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (key === "placeFor") before();
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
