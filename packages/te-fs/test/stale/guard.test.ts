import { existsSync, mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBytes, type Files, type FilesOptions } from "../../src/index.js";
import { otherDisk } from "../../../te-path/test/other-disk.js";
import { codeOf, failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";

const me = { owner: "o", session: "s" };
const BOUND = { maxBytes: 1_000_000 };

interface Site {
  readonly root: string;
  readonly files: Files;
  readonly read: (path: string) => Promise<void>;
  readonly rewrite: (path: string, expectedSha256?: string) => ReturnType<Files["write"]>;
  readonly append: (path: string) => ReturnType<Files["write"]>;
}

function site(options: Partial<FilesOptions> = {}): Site {
  const base = freshDir();
  const root = join(base, "root");
  mkdirSync(root);
  const files = filesIn(root, { stateDir: join(base, "data"), ...options });
  return {
    root,
    files,
    async read(path) {
      await using file = await files.read(path, { session: me.session });
      await readBytes(file, { offset: 0, length: 1 });
    },
    rewrite: (path, expectedSha256) =>
      files.write(path, Buffer.from("mine"), { ...me, mode: "rewrite", expectedSha256 }),
    append: (path) => files.write(path, Buffer.from("added\n"), { ...me, mode: "append" }),
  };
}

const edits = [{ oldText: "one", newText: "ONE", expected: 1 }];
const diffOf = (path: string): string => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-one\n+ONE\n`;

/** A change by the session that proves itself by content, and whether it told that somebody else had changed the file. */
const PROVED: Record<string, (site: Site) => Promise<boolean>> = {
  "a patch": async ({ files }) => (await files.patch("f", { ...me, ...BOUND, edits })).wasChanged,
  "a diff": async ({ files }) =>
    (await files.applyDiff(diffOf("f"), { ...me, ...BOUND })).files.some((each) => each.wasChanged),
  "an append": async ({ append }) => (await append("f")).wasChanged,
};

test.each(Object.entries(PROVED))("after %s, what somebody else wrote is still unseen", async (_, change) => {
  const here = site();
  plant(here.root, { f: "one\ntwo\n" });
  await here.read("f");
  writeFileSync(join(here.root, "f"), "one\ntwo\nthree\n");
  expect(await change(here)).toBe(true);
  expect(await codeOf(here.rewrite("f"))).toBe("STALE_FILE");
  expect(await codeOf(here.files.remove("f", me))).toBe("STALE_FILE");
  // And it is told again, however often.
  expect((await here.append("f")).wasChanged).toBe(true);
  expect(readFileSync(join(here.root, "f"), "utf8")).toContain("three");
  // A look is what it takes.
  await here.read("f");
  expect((await here.append("f")).wasChanged).toBe(false);
  expect((await here.rewrite("f")).wasChanged).toBe(false);
});

test("after an append the named content is what it takes, too", async () => {
  const { root, files, read, append, rewrite } = site();
  plant(root, { f: "one\n" });
  await read("f");
  writeFileSync(join(root, "f"), "one and more\n");
  const { sha256 } = await append("f");
  await files.write("f", Buffer.from("!"), { ...me, mode: "append", expectedSha256: sha256 });
  expect((await rewrite("f")).wasChanged).toBe(false);
});

test("what the session has taken back itself is not seen for that", async () => {
  const { root, files, read, append, rewrite } = site();
  plant(root, { f: "one\n", g: "one\n" });
  for (const path of ["f", "g"]) await read(path);
  writeFileSync(join(root, "f"), "one and more\n");
  await append("f");
  await files.undo(undefined, me);
  expect(await codeOf(rewrite("f"))).toBe("STALE_FILE");
  // Its own work alone is no reason, whatever was taken back.
  await append("g");
  await files.undo(undefined, me);
  expect((await rewrite("g")).wasChanged).toBe(false);
  await files.undo(undefined, me);
  writeFileSync(join(root, "g"), "theirs\n");
  expect(await codeOf(rewrite("g"))).toBe("STALE_FILE");
});

const DELETIONS: Record<string, readonly [diff: string, refused: boolean]> = {
  "by name alone": ["*** Begin Patch\n*** Delete File: f\n*** End Patch\n", true],
  "by a git header alone": ["diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n", true],
  "by name, to be written anew": ["*** Begin Patch\n*** Delete File: f\n*** Add File: f\n+new\n*** End Patch\n", true],
  "with all that it holds": [
    "diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-theirs\n",
    false,
  ],
};

test.each(Object.entries(DELETIONS))("a diff that deletes a file %s", async (_, [diff, refused]) => {
  const { root, files, read } = site();
  plant(root, { f: "mine\n", other: "one\n" });
  await read("f");
  writeFileSync(join(root, "f"), "theirs\n");
  const isGit = diff.startsWith("diff");
  const whole = isGit ? `${diffOf("other")}${diff}` : diff;
  expect(await codeOf(files.applyDiff(whole, { ...me, ...BOUND }))).toBe(refused ? "STALE_FILE" : "none");
  expect(existsSync(join(root, "f"))).toBe(refused);
  // Nothing else of it has happened.
  expect(readFileSync(join(root, "other"), "utf8")).toBe(refused || !isGit ? "one\n" : "ONE\n");
});

test("what the session knows of a file goes with it when it is moved", async () => {
  const { root, files, read, rewrite } = site();
  plant(root, { f: "mine\n", g: "mine\n", "d/e/h": "mine\n", "d/e/i": "mine\n" });
  for (const path of ["f", "g", "d/e/h", "d/e/i"]) await read(path);
  writeFileSync(join(root, "f"), "theirs\n");
  await files.move("f", "moved", me);
  expect(await codeOf(rewrite("moved"))).toBe("STALE_FILE");
  await files.move("g", "elsewhere", me);
  expect(await codeOf(rewrite("elsewhere"))).toBe("none");
  writeFileSync(join(root, "elsewhere"), "theirs\n");
  expect(await codeOf(rewrite("elsewhere"))).toBe("STALE_FILE");

  writeFileSync(join(root, "d/e/h"), "theirs\n");
  const { undo } = await files.move("d", "D", me);
  expect([await codeOf(rewrite("D/e/h")), await codeOf(rewrite("D/e/i"))]).toEqual(["STALE_FILE", "none"]);
  await files.undo(undefined, me);
  await files.undo(undo?.id, me);
  expect([await codeOf(rewrite("d/e/h")), await codeOf(rewrite("d/e/i"))]).toEqual(["STALE_FILE", "none"]);
});

test("also to another file system", async ({ skip }) => {
  const { root, files, read, rewrite } = site();
  otherDisk(join(root, "disk"), skip);
  plant(root, { "d/h": "mine\n", "d/i": "mine\n" });
  for (const path of ["d/h", "d/i"]) await read(path);
  writeFileSync(join(root, "d/h"), "theirs, and longer\n");
  await files.move("d", "disk", me);
  expect([await codeOf(rewrite("disk/d/h")), await codeOf(rewrite("disk/d/i"))]).toEqual(["STALE_FILE", "none"]);
});

test("a folder with a file that somebody else changed since it was read is not deleted", async () => {
  const { root, files, read } = site();
  plant(root, { "d/e/f": "mine\n", "d/g": "mine\n", "d/gone": "", da: "mine\n" });
  for (const path of ["d/e/f", "d/g", "d/gone", "da"]) await read(path);
  const remove = () => files.remove("d", { ...me, recursive: true });
  writeFileSync(join(root, "da"), "theirs\n");
  writeFileSync(join(root, "d/e/f"), "theirs\n");
  renameSync(join(root, "d/gone"), join(root, "gone"));
  expect(await failure(remove())).toEqual({
    code: "STALE_FILE",
    message: `Another program changed ${root}/d/e/f since this session read it`,
    remedy: { id: "read-again" },
  });
  expect(existsSync(join(root, "d/g"))).toBe(true);
  await read("d/e/f");
  expect((await remove()).wasChanged).toBe(false);
});

test("where the guard only warns, a folder goes and that is told; where it is off, it is not", async () => {
  for (const staleGuard of ["warn", "off"] as const) {
    const { root, files, read } = site({ staleGuard });
    plant(root, { "d/f": "mine\n" });
    await read("d/f");
    writeFileSync(join(root, "d/f"), "theirs\n");
    expect((await files.remove("d", { ...me, recursive: true })).wasChanged).toBe(staleGuard === "warn");
  }
});

test("a touch, or the same content in another file, is no change", async () => {
  const { root, files, read, rewrite } = site();
  plant(root, { f: "mine\n" });
  const path = join(root, "f");
  const again = (): void => {
    writeFileSync(join(root, "next"), readFileSync(path));
    renameSync(join(root, "next"), path);
  };
  for (const deed of [() => utimesSync(path, 1, 1), again]) {
    await read("f");
    deed();
    expect(await codeOf(rewrite("f"))).toBe("none");
    // What the session has written it knows by its sum as well.
    deed();
    expect(
      (await files.patch("f", { ...me, ...BOUND, edits: [{ oldText: "mine", newText: "more", expected: 1 }] }))
        .wasChanged,
    ).toBe(false);
    deed();
    expect(await codeOf(rewrite("f"))).toBe("none");
    expect(statSync(path).size).toBe(4);
  }
});

test("of a file too large for its sum to be known a touch is still a change", async () => {
  const { root, read, rewrite } = site();
  plant(root, { f: Buffer.alloc(2 ** 20, "x") });
  await read("f");
  utimesSync(join(root, "f"), 1, 1);
  expect(await codeOf(rewrite("f"))).toBe("STALE_FILE");
});

test("what was rolled back is the session's own doing", async ({ skip }) => {
  const { root, files, read, rewrite } = site();
  otherDisk(join(root, "disk"), skip, "size=1m");
  plant(root, { "disk/f": `one\n${"x".repeat(300_000)}\n` });
  await read("disk/f");
  const long = Array.from({ length: 90 }, () => `+${"y".repeat(10_000)}\n`).join("");
  const diff = `${diffOf("disk/f")}--- /dev/null\n+++ b/disk/g\n@@ -0,0 +1,90 @@\n${long}`;
  expect(await codeOf(files.applyDiff(diff, { ...me, ...BOUND }))).toBe("WRITE_FAILED");
  expect(readFileSync(join(root, "disk/f"), "utf8").slice(0, 4)).toBe("one\n");
  expect(await codeOf(rewrite("disk/f"))).toBe("none");
});
