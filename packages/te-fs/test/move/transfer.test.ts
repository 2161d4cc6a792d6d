import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyPath, movePath } from "../one-path.js";
import type { TransferOptions } from "../../src/move/transfer.js";
import { bundle, start } from "../child.js";
import { hooked } from "../hooked.js";
import { snapshot } from "../../../te-path/test/snapshot.js";
import { failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { ME, undoLast, workshop, type Workshop } from "../workshop.js";

function move(shop: Workshop, source: string, target: string, options: Partial<TransferOptions> = {}) {
  return movePath(shop.undo, shop.guard, source, target, { ...ME, ...options });
}

function copy(shop: Workshop, source: string, target: string, options: Partial<TransferOptions> = {}) {
  return copyPath(shop.undo, shop.guard, source, target, { ...ME, ...options });
}

const held = { undo: { id: expect.any(String), held_bytes: expect.any(Number) } };
const plain = { replaced: false, wasChanged: false, copied: undefined, left: false, ...held };

test("a file, a link and a folder get another name, and get the old one back", async () => {
  const shop = workshop();
  plant(shop.root, { f: "f", "d/e": "e", l: { to: "nowhere" }, "into/x": "" });
  const before = snapshot(shop.root);
  for (const [source, target, there] of [
    ["f", "g", "g"],
    ["d", "c", "c"],
    ["l", "k", "k"],
    ["f", "into", "into/f"],
    ["d", "into/", "into/d"],
    ["l", "into/l", "into/l"],
  ] as const) {
    expect(await move(shop, source, target)).toEqual({
      source: `${shop.root}/${source}`,
      target: `${shop.root}/${there}`,
      ...plain,
    });
    const now = snapshot(shop.root);
    expect([now[source], now[there]]).toEqual([undefined, before[source]]);
    await undoLast(shop);
    expect(Object.keys(snapshot(shop.root))).toEqual(Object.keys(before));
  }
});

test("a link to a folder as the target means into that folder; a link out is refused", async () => {
  const shop = workshop();
  plant(shop.base, { "outside/x": "", "root/d/x": "", "root/f": "f" });
  plant(shop.root, { in: { to: "d" }, out: { to: "../outside" }, dangling: { to: "d/no" } });
  expect(await move(shop, "f", "in")).toMatchObject({ target: `${shop.root}/in/f` });
  expect(await failure(move(shop, "d/f", "out"))).toMatchObject({ code: "INVALID_PATH" });
  expect(await failure(move(shop, "d/f", "dangling"))).toMatchObject({ code: "ALREADY_EXISTS" });
  expect(await move(shop, "d/f", "dangling", { overwrite: true })).toMatchObject({ target: `${shop.root}/dangling` });
  expect(snapshot(shop.base)).not.toHaveProperty("root/d/no");
  expect(readdirSync(`${shop.base}/outside`)).toEqual(["x"]);
  await undoLast(shop);
  expect(readlinkSync(`${shop.root}/dangling`)).toBe("d/no");
});

test("nothing is replaced unless that is asked for, and then it is kept", async () => {
  const shop = workshop();
  plant(shop.root, { a: "new", b: "old", "d/a": "old too" });
  chmodSync(join(shop.root, "b"), 0o600);
  const before = snapshot(shop.root);
  for (const [target, there] of [
    ["b", "b"],
    ["d", "d/a"],
  ] as const) {
    expect(await failure(move(shop, "a", target))).toEqual({
      code: "ALREADY_EXISTS",
      message: `${shop.root}/${there} exists already`,
      remedy: { id: "overwrite" },
    });
    expect(snapshot(shop.root)).toEqual(before);
    expect(await move(shop, "a", target, { overwrite: true })).toMatchObject({ replaced: true, ...held });
    expect(snapshot(shop.root)[there]).toEqual(before["a"]);
    await undoLast(shop);
    expect(facts(shop)).toEqual(factsOf(before));
  }
});

/** Without the times of folders, which every change in them sets. */
function factsOf(all: ReturnType<typeof snapshot>): object {
  return Object.fromEntries(
    Object.entries(all).map(([path, { mode, content, target }]) => [path, { mode, content, target }]),
  );
}

function facts(shop: Workshop): object {
  return factsOf(snapshot(shop.root));
}

test("a folder replaces an empty folder, and nothing else", async () => {
  const shop = workshop();
  plant(shop.root, {
    "d/f": "1",
    "into/d": null,
    "full/d/x": "",
    "file/d": "x",
    g: "x",
    "holds/g/x": "",
    "alone/g": null,
  });
  const before = facts(shop);
  const hint = "Delete it first, or choose another target.";
  for (const [source, target] of [
    ["d", "full"],
    ["d", "file"],
    ["g", "holds"],
    ["g", "alone"],
  ] as const)
    for (const overwrite of [false, true])
      expect(await failure(move(shop, source, target, { overwrite }))).toMatchObject({ code: "ALREADY_EXISTS", hint });
  expect((await failure(move(shop, "d", "into"))).remedy).toEqual({ id: "overwrite" });
  expect(facts(shop)).toEqual(before);
  chmodSync(join(shop.root, "into/d"), 0o700);
  expect(await move(shop, "d", "into", { overwrite: true })).toMatchObject({
    replaced: true,
    target: `${shop.root}/into/d`,
  });
  expect(readdirSync(join(shop.root, "into/d"))).toEqual(["f"]);
  await undoLast(shop);
  expect([readdirSync(join(shop.root, "into/d")), lstatSync(join(shop.root, "into/d")).mode & 0o777]).toEqual([
    [],
    0o700,
  ]);
});

test("of two names of one file the first goes when it is moved onto the second", async () => {
  const shop = workshop();
  plant(shop.root, { a: "x" });
  linkSync(join(shop.root, "a"), join(shop.root, "b"));
  expect((await failure(move(shop, "a", "b"))).code).toBe("ALREADY_EXISTS");
  expect(await move(shop, "a", "b", { overwrite: true })).toMatchObject({ replaced: true });
  expect(readdirSync(shop.root)).toEqual(["b"]);
});

test.for([
  ["a", "a", "INVALID_ARGUMENT"],
  ["a", ".", "INVALID_ARGUMENT"],
  ["d", "d", "INVALID_ARGUMENT"],
  ["d", "d/e", "INVALID_ARGUMENT"],
  ["d", "l", "INVALID_ARGUMENT"],
  ["no", "x", "NOT_FOUND"],
  ["a/", "x", "NOT_A_DIRECTORY"],
  ["a", "a/x", "NOT_A_DIRECTORY"],
  ["a", "no/x", "NOT_FOUND"],
  ["a", "no/", "NOT_FOUND"],
  ["../outside/f", "x", "INVALID_PATH"],
  ["a", "../outside", "INVALID_PATH"],
  ["out", "x/y", "NOT_FOUND"],
  ["out/f", "x", "INVALID_PATH"],
  [".", "x", "PERMISSION_DENIED"],
] as const)("%s to %s is refused, by a move and by a copy: %s", async ([source, target, code]) => {
  const shop = workshop();
  plant(shop.base, { "outside/f": "x", "root/a": "a", "root/d/e/f": "f" });
  plant(shop.root, { l: { to: "d/e" }, out: { to: "../outside" } });
  const before = snapshot(shop.base);
  expect((await failure(move(shop, source, target))).code).toBe(code);
  // A root may be copied, but not into itself.
  expect((await failure(copy(shop, source, target))).code).toBe(source === "." ? "INVALID_ARGUMENT" : code);
  const { ...after } = snapshot(shop.base);
  for (const path of Object.keys(after)) if (path.startsWith("data")) delete after[path];
  for (const path of Object.keys(before)) if (path.startsWith("data")) delete before[path];
  expect(after).toEqual(before);
});

test("missing folders are made when that is asked for, and an undo takes them away again", async () => {
  const shop = workshop();
  plant(shop.root, { a: "a" });
  expect(await failure(move(shop, "a", "x/y/b"))).toEqual({
    code: "NOT_FOUND",
    message: `${shop.root}/x/y does not exist`,
    remedy: { id: "create-target-folder" },
  });
  expect(await move(shop, "a", "x/y/b", { createParents: true })).toMatchObject({ target: `${shop.root}/x/y/b` });
  await undoLast(shop);
  expect(readdirSync(shop.root, { recursive: true, encoding: "utf8" })).toEqual(["a"]);
  expect((await failure(move(shop, "a", "x/"))).message).toBe(`${shop.root}/x does not exist`);
  expect(await move(shop, "a", "x/", { createParents: true })).toMatchObject({ target: `${shop.root}/x/a` });
  // A folder may take the new name itself.
  expect(await move(shop, "x", "z/")).toMatchObject({ target: `${shop.root}/z` });
});

test("folders that were made for a move that then fails are taken away again", async () => {
  const shop = workshop();
  plant(shop.root, { "p/.git/config": "" });
  expect((await failure(move(shop, "p/.git/config", "x/y/z", { createParents: true }))).code).toBe("PERMISSION_DENIED");
  expect(readdirSync(shop.root)).toEqual(["p"]);
});

test("what others stand on is not moved away, nor replaced", async () => {
  const base = freshDir();
  plant(base, { "root/inner/f": "", "root/home/.ssh/id": "", "root/p/.git/hooks/x": "", "root/a": "" });
  const shop = workshop(base, { roots: ["root", "root/inner"], homes: [`${base}/root/home`], deny: [".ssh"] });
  const codes = [];
  for (const source of ["inner", "home", "p/.git/hooks"]) codes.push((await failure(move(shop, source, "moved"))).code);
  for (const target of ["p/.git/hooks/y", "p/.git/config", "p/.envrc", "home/.bashrc", "home/.ssh"])
    codes.push((await failure(move(shop, "a", target))).code);
  expect(codes).toEqual([...Array<string>(7).fill("PERMISSION_DENIED"), "INVALID_PATH"]);
  // An empty folder could be replaced, a root cannot.
  plant(base, { "root/d/inner/x": "" });
  rmSync(join(base, "root/inner/f"));
  expect(await failure(move(shop, "d/inner", ".", { overwrite: true }))).toMatchObject({
    code: "PERMISSION_DENIED",
    hint: expect.stringContaining("It is or holds the root"),
  });
  // A whole repository is the user's to move.
  expect(await move(shop, "p", "q")).toMatchObject(plain);
});

test.for([
  ["a folder with hooks becomes a .git", { "evil/hooks/post-commit": "" }, "evil", "repo/.git"],
  [
    "a folder with hooks goes among the modules of one",
    { "evil/hooks/x": "", "repo/.git/modules/y": null },
    "evil",
    "repo/.git/modules/y",
  ],
  ["a folder with autostart becomes .config", { "evil/autostart/x": "" }, "evil", "home/.config"],
  ["a folder with start files becomes a home", { "evil/.bashrc": "" }, "evil", "newhome"],
  ["a tree with a whole home in it", { "evil/deep/.bashrc": "" }, "evil", "far"],
  ["out of a .git, where the name decided otherwise", { "x/.git/foo/.git/hooks/y": "" }, "x/.git/foo", "clean"],
] as const)("nothing comes to be executed by a move or a copy: %s", async ([, files, source, target]) => {
  const base = freshDir();
  plant(base, { "root/home/x": "", "root/repo/x": "" });
  plant(`${base}/root`, files);
  const shop = workshop(base, { homes: [`${base}/root/home`, `${base}/root/newhome`, `${base}/root/far/deep`] });
  const before = facts(shop);
  for (const go of [move, copy]) {
    const { code, remedy } = await failure(go(shop, source, target));
    expect([code, remedy?.id]).toEqual(["PERMISSION_DENIED", "allow-exec-config"]);
  }
  expect(facts(shop)).toEqual(before);
});

test("what is executed is not moved to where it may be changed: an undo would bring it back as it became", async () => {
  const shop = workshop(undefined, { homes: ["/nonexistent-home"] });
  plant(shop.root, { "repo/.git/hooks/x": "good" });
  const before = facts(shop);
  expect(await failure(move(shop, "repo/.git", "repo/g"))).toMatchObject({
    code: "PERMISSION_DENIED",
    remedy: { id: "allow-exec-config", name: ".git/hooks" },
  });
  expect(facts(shop)).toEqual(before);
  // A copy is another thing, and does not become what it was made of.
  expect(await copy(shop, "repo/.git", "repo/g")).toMatchObject({ copied: { entries: 3 } });
});

test("a tree that was executed where it was may be moved on", async () => {
  const shop = workshop(undefined, { homes: ["/nonexistent-home"] });
  plant(shop.root, { "a/repo/.git/hooks/x": "", "a/repo/.envrc": "" });
  expect(await move(shop, "a", "b")).toMatchObject(plain);
  expect(await copy(shop, "b", "c")).toMatchObject({ copied: { entries: 6, bytes: 0 } });
});

test("a copy has names, bytes, modes, times and links of the original, and is taken back alone", async () => {
  const shop = workshop();
  plant(shop.root, {
    "d/a": "1",
    "d/e/f": "2".repeat(3_000_000),
    "d/out": { to: "/etc" },
    "d/in": { to: "a" },
    "d/0": null,
  });
  linkSync(join(shop.root, "d/a"), join(shop.root, "d/e/second"));
  writeFileSync(Buffer.concat([Buffer.from(join(shop.root, "d/")), Buffer.from([0xff, 0x0a])]), "bytes");
  for (const [path, mode] of [
    ["d/a", 0o604],
    ["d/e", 0o1750],
    ["d", 0o711],
  ] as const)
    chmodSync(join(shop.root, path), mode);
  execFileSync("find", [shop.root, "-exec", "touch", "-h", "-d", "2020-02-03T04:05:06.789Z", "{}", "+"]);
  expect(await copy(shop, "d", "copy")).toEqual({
    source: `${shop.root}/d`,
    target: `${shop.root}/copy`,
    ...plain,
    copied: { entries: 9, bytes: 3_000_001 + "/etc".length + "a".length + "bytes".length },
  });
  const { d, copy: top, ...rest } = snapshot(shop.root);
  const below = (name: string) =>
    Object.fromEntries(
      Object.entries(rest).flatMap(([path, fact]) =>
        path.startsWith(`${name}/`) ? [[path.slice(name.length), fact]] : [],
      ),
    );
  expect([top, below("copy")]).toEqual([d, below("d")]);
  expect(lstatSync(join(shop.root, "copy/a")).ino).toBe(lstatSync(join(shop.root, "copy/e/second")).ino);
  expect(lstatSync(join(shop.root, "copy/a")).ino).not.toBe(lstatSync(join(shop.root, "d/a")).ino);
  await undoLast(shop);
  expect(readdirSync(shop.root)).toEqual(["d"]);
});

test("holes stay holes in a copy", async () => {
  const shop = workshop();
  const path = join(shop.root, "sparse");
  execFileSync("truncate", ["-s", "128M", path]);
  execFileSync("sh", ["-c", `printf middle | dd of='${path}' bs=1 seek=50000000 conv=notrunc status=none`]);
  expect(await copy(shop, "sparse", "copy")).toMatchObject({ copied: { entries: 1, bytes: 2 ** 27 } });
  const made = lstatSync(join(shop.root, "copy"));
  expect([made.size, made.blocks * 512 < 100_000]).toEqual([2 ** 27, true]);
  const text = execFileSync("dd", [
    `if=${join(shop.root, "copy")}`,
    "bs=1",
    "skip=49999998",
    "count=10",
    "status=none",
  ]);
  expect(text.toString()).toBe("\0\0middle\0\0");
});

test("setuid is kept by a move and not given to a copy", async () => {
  const shop = workshop();
  plant(shop.root, { a: "x" });
  chmodSync(join(shop.root, "a"), 0o6755);
  await copy(shop, "a", "copy");
  await move(shop, "a", "moved");
  expect(["copy", "moved"].map((name) => lstatSync(join(shop.root, name)).mode & 0o7777)).toEqual([0o755, 0o6755]);
});

test("what is no file, folder or link can be moved and not copied: it is named before anything is made", async () => {
  const shop = workshop();
  plant(shop.root, Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`d/f${at}`, "x"])));
  execFileSync("mkfifo", [join(shop.root, "d/pipe")]);
  const begun: string[] = [];
  const watching = { ...shop, undo: hooked(shop.undo, (shown) => begun.push(shown)) };
  for (const source of ["d", "d/pipe"]) {
    begun.length = 0;
    expect(await failure(copy(watching, source, "x"))).toEqual({
      code: "INVALID_PATH",
      message: `${shop.root}/d/pipe is a FIFO, which cannot be copied`,
      hint: "Delete it or copy what lies beside it.",
    });
    // Looked at by the walk to it, and by no copy.
    expect(begun.filter((path) => path.startsWith(`${shop.root}/d/f`))).toEqual([]);
  }
  expect(readdirSync(shop.root)).toEqual(["d"]);
  expect(await move(shop, "d/pipe", "pipe")).toMatchObject(plain);
});

test("credentials and our own state are not copied along, under whatever name they lie there", async () => {
  const base = freshDir();
  plant(base, { "root/home/.ssh/id": "", "root/d/x": "x", "data/db": "SECRET" });
  const shop = workshop(base, { homes: [`${base}/root/home`], deny: [".ssh"] });
  linkSync(`${base}/data/db`, `${base}/root/d/db`);
  const answers = [await failure(copy(shop, "home", "x")), await failure(copy(shop, "d", "x"))];
  expect(answers).toMatchObject([
    { code: "PERMISSION_DENIED", remedy: { id: "leave-credentials", entry: ".ssh" } },
    { code: "INVALID_PATH", message: `${shop.root}/d/db belongs to this server itself` },
  ]);
  expect(readdirSync(shop.root).toSorted()).toEqual(["d", "home"]);
});

test("an unreadable file in a tree is named, and nothing of the copy is left", async ({ skip }) => {
  if (process.getuid?.() !== 0) return skip("modes stop only who is not root, and only root can become somebody else");
  const { base, root } = workshop();
  plant(root, { "d/a": "1", "d/e/secret": "2", "d/z": "3", a: "new", "shut/x": "x" });
  chmodSync(join(root, "d/e/secret"), 0o000);
  execFileSync("chown", ["-R", "65534:65534", base]);
  chmodSync(join(root, "shut"), 0o555);
  const calls = [
    ["copy", ["d", "x"], {}],
    ["move", ["shut/x", "y"], {}],
    ["move", ["a", "shut/y"], {}],
  ];
  const child = start(await bundle("work"), [JSON.stringify({ roots: [root], uid: 65534, calls })]);
  const answers = (await child.output)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect(answers).toEqual(
    ["d/e/secret", "shut/x", "shut/y"].map((path) => ({
      code: "PERMISSION_DENIED",
      message: `No permission for ${root}/${path}`,
      hint: expect.stringContaining("The server runs as uid 65534"),
    })),
  );
  expect(readdirSync(root).toSorted()).toEqual(["a", "d", "shut"]);
});

test("what belongs to others is not taken out of a sticky folder, nor emptied there", async ({ skip }) => {
  if (process.getuid?.() !== 0) return skip("only root can become somebody else");
  const { base, root } = workshop();
  plant(root, { "sticky/theirs": "x", "sticky/open/f": "x", "sticky/mine": "x", target: null });
  for (const [path, mode] of [
    ["sticky/theirs", 0o666],
    ["sticky/open", 0o777],
    ["sticky", 0o1777],
    ["target", 0o777],
  ] as const)
    chmodSync(join(root, path), mode);
  execFileSync("chown", ["65534:65534", join(root, "sticky/mine")]);
  execFileSync("chmod", ["755", base]);
  const all = { recursive: true };
  const calls = [
    ["move", ["sticky/theirs", "target"], {}],
    ["remove", ["sticky/theirs"], {}],
    ["remove", ["sticky/open"], all],
    ["remove", ["sticky/mine"], {}],
  ];
  const child = start(await bundle("work"), [JSON.stringify({ roots: [root], uid: 65534, calls })]);
  const answers = (await child.output)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  const hint = "Its folder is sticky: only its owner takes it out of there.";
  const refusal = (path: string) => ({
    code: "PERMISSION_DENIED",
    message: `No permission for ${root}/${path}`,
    hint,
  });
  expect(answers).toEqual([
    refusal("sticky/theirs"),
    refusal("sticky/theirs"),
    refusal("sticky/open"),
    expect.objectContaining({ removed: 1 }),
  ]);
  expect(Object.keys(snapshot(root)).toSorted()).toEqual([
    "sticky",
    "sticky/open",
    "sticky/open/f",
    "sticky/theirs",
    "target",
  ]);
});

test("a file that is replaced must be the one that the session knows, or the one that is named", async () => {
  const shop = workshop();
  plant(shop.root, { a: "new", b: "old" });
  const path = join(shop.root, "b");
  shop.guard.marks.saw("s1", path, lstatSync(path, { bigint: true }));
  writeFileSync(path, "theirs");
  shop.guard.marks.saw("s1", join(shop.root, "a"), lstatSync(join(shop.root, "a"), { bigint: true }));
  const { code } = await failure(move(shop, "a", "b", { overwrite: true }));
  expect([code, readFileSync(path, "utf8")]).toEqual(["STALE_FILE", "theirs"]);
  const expectedSha256 = createHash("sha256").update("theirs").digest("hex");
  expect(await move(shop, "a", "b", { overwrite: true, expectedSha256 })).toMatchObject({ wasChanged: false, ...held });
  // From now on the session knows what it has put there, and nothing of the old name.
  expect(shop.seen()).toEqual([path]);
  expect(shop.guard.marks.isStale("s1", path, lstatSync(path, { bigint: true }))).toBe(false);
  writeFileSync(path, "theirs again");
  expect(shop.guard.marks.isStale("s1", path, lstatSync(path, { bigint: true }))).toBe(true);
});

test("a name with bytes that are no UTF-8 stays what it is, also into a folder", async () => {
  const shop = workshop();
  const odd = Buffer.concat([Buffer.from(join(shop.root, "odd-")), Buffer.from([0xe9])]);
  writeFileSync(odd, "1");
  plant(shop.root, { d: null, "literal\\xe9": "2" });
  expect(await move(shop, "odd-\\xe9", "d")).toMatchObject({
    source: `${shop.root}/odd-\\xe9`,
    target: `${shop.root}/d/odd-\\xe9`,
  });
  // Four letters that look like a byte are four letters, and are shown so that they cannot be mistaken for it.
  expect(await move(shop, "literal\\xe9", "d")).toMatchObject({ target: `${shop.root}/d/literal\\x5cxe9` });
  expect(readdirSync(join(shop.root, "d"), "latin1").toSorted()).toEqual(["literal\\xe9", "odd-\xe9"]);
});
