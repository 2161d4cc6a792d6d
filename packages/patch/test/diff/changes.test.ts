import { InvalidPathError, OpsError } from "@llmc/errors";
import { describe, expect, test } from "vitest";
import { computeChanges, type ChangesOptions } from "../../src/diff/changes.js";
import { parseDiff } from "../../src/diff/parse.js";

type Texts = Readonly<Record<string, string>>;

function modified(path: string, from: string, to: string): string {
  return `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
}

async function changesOf(
  files: Texts,
  diff: string,
  options: Partial<ChangesOptions> = {},
): Promise<readonly object[]> {
  const read = (path: string): Buffer | null => (files[path] === undefined ? null : Buffer.from(files[path]));
  const { changes } = await computeChanges(parseDiff(diff), { read, ...options });
  return changes.map(({ before, after, hunks, ...change }) => ({
    ...change,
    before: before?.toString() ?? null,
    after: after?.toString() ?? null,
    hunks: hunks.map(({ hunk, line }) => [hunk, line]),
  }));
}

async function refusal(files: Texts, diff: string, options: Partial<ChangesOptions> = {}): Promise<OpsError> {
  const thrown: unknown = await changesOf(files, diff, options).catch((error: unknown) => error);
  if (!OpsError.is(thrown)) throw new Error("it was not refused", { cause: thrown });
  return thrown;
}

test("a change says what was there, what will be, and where its hunks went", async () => {
  expect(await changesOf({ x: "0\na\n" }, modified("x", "a", "b"))).toEqual([
    { kind: "modify", path: "x", from: null, before: "0\na\n", after: "0\nb\n", mode: null, hunks: [[1, 2]] },
  ]);
});

describe("parts about one file become one change", () => {
  const rename = (from: string, to: string): string =>
    `diff --git a/${from} b/${to}\nrename from ${from}\nrename to ${to}\n`;
  const remove = (path: string): string => `*** Delete File: ${path}\n`;
  const create = (path: string, text: string): string => `*** Add File: ${path}\n+${text}\n`;

  test.for<readonly [string, string, readonly object[]]>([
    [
      "changed twice",
      modified("x", "a", "b") + modified("x", "b", "c"),
      [{ kind: "modify", path: "x", from: null, before: "a\n", after: "c\n" }],
    ],
    [
      "changed and renamed",
      modified("x", "a", "b") + rename("x", "y"),
      [{ kind: "rename", path: "y", from: "x", before: "a\n", after: "b\n" }],
    ],
    [
      "renamed and changed",
      rename("x", "y") + modified("y", "a", "b"),
      [{ kind: "rename", path: "y", from: "x", before: "a\n", after: "b\n" }],
    ],
    [
      "renamed twice",
      rename("x", "y") + rename("y", "z"),
      [{ kind: "rename", path: "z", from: "x", before: "a\n", after: "a\n" }],
    ],
    [
      "renamed and back",
      modified("x", "a", "b") + rename("x", "y") + rename("y", "x"),
      [{ kind: "modify", path: "x", from: null, before: "a\n", after: "b\n" }],
    ],
    [
      "changed and deleted",
      modified("x", "a", "b") + remove("x"),
      [{ kind: "delete", path: "x", from: null, before: "a\n", after: null }],
    ],
    [
      "renamed and deleted",
      rename("x", "y") + remove("y"),
      [{ kind: "delete", path: "x", from: null, before: "a\n", after: null }],
    ],
    [
      "deleted and made anew",
      remove("x") + create("x", "n"),
      [{ kind: "modify", path: "x", from: null, before: "a\n", after: "n\n" }],
    ],
    [
      "made and changed",
      create("n", "1") + modified("n", "1", "2"),
      [{ kind: "create", path: "n", from: null, before: null, after: "2\n" }],
    ],
    [
      "made and renamed",
      create("n", "1") + rename("n", "m"),
      [{ kind: "create", path: "m", from: null, before: null, after: "1\n" }],
    ],
    ["made and deleted", create("n", "1") + remove("n"), []],
  ])("%s", async ([, diff, expected]) => {
    const changes = await changesOf({ x: "a\n" }, diff);
    expect(changes).toMatchObject(expected);
    expect(changes.length).toBe(expected.length);
  });

  test("a file that is moved twice, with another moved into the place between, is refused", async () => {
    const diff = rename("x", "y") + create("x", "n") + rename("y", "z");
    expect(await refusal({ x: "a\n" }, diff)).toMatchObject({ code: "PATCH_FAILED", hint: "Send it as two diffs." });
  });

  test("the mode of an earlier part stays", async () => {
    const mode = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n";
    expect(await changesOf({ x: "a\n" }, mode + modified("x", "a", "b"))).toMatchObject([
      { mode: 0o755, after: "b\n" },
    ]);
  });
});

test("spellings of one path are one file", async () => {
  const diff = "--- ./x\n+++ ./x\n@@ -1 +1 @@\n-a\n+b\n--- d/../x\n+++ d/../x\n@@ -1 +1 @@\n-b\n+c\n";
  expect(await changesOf({ "./x": "a\n", "d/../x": "a\n" }, diff)).toMatchObject([{ path: "./x", after: "c\n" }]);
});

test("the caller may say which paths are one file", async () => {
  const diff = modified("x", "a", "b") + "--- /root/x\n+++ /root/x\n@@ -1 +1 @@\n-b\n+c\n";
  const keyOf = (path: string): string => (path.startsWith("/") ? path : `/root/${path}`);
  expect(await changesOf({ x: "a\n" }, diff, { keyOf })).toMatchObject([{ path: "x", after: "c\n" }]);
});

test("what the reader throws for a name that stands in the diff ends it, and for one that is only guessed means no file", async () => {
  const read = (path: string): Buffer | null => {
    if (path === "x") return Buffer.from("a\n");
    if (path === "y") return null;
    throw new InvalidPathError(path, "is outside");
  };
  const open = (diff: string): Promise<unknown> => changesOf({}, diff, { read }).catch((thrown: unknown) => thrown);
  expect(await open(modified("z", "a", "b"))).toMatchObject({ code: "INVALID_PATH" });
  expect(await open(modified("y", "a", "b"))).toMatchObject({ code: "NOT_FOUND" });
  expect(await open("--- a/x\n+++ a/x\n@@ -1 +1 @@\n-a\n+b\n")).toMatchObject({ code: "INVALID_PATH" });
});

test("the parts may not be about more bytes than allowed, however often about the same file", async () => {
  const twice = modified("x", "a", "b") + modified("x", "b", "c");
  const maxTotalBytes = 12;
  expect(await refusal({ x: "a\n" }, twice, { maxTotalBytes: 11 })).toMatchObject({
    message: "The parts of the diff are about more than 11 bytes together",
  });
  expect(await changesOf({ x: "a\n" }, twice, { maxTotalBytes })).toHaveLength(1);
});

test("a caller that goes away ends the work", async () => {
  const controller = new AbortController();
  const reason = new Error("gone");
  const read = (): Buffer => {
    controller.abort(reason);
    return Buffer.from("a\n");
  };
  const run = changesOf({}, modified("x", "a", "b"), { read, signal: controller.signal });
  await expect(run).rejects.toBe(reason);
});

describe("an error", () => {
  test("shows the file's lines beside those of the diff, so that the hunk made of them fits", async () => {
    const file = "import a\n\ndef f(x):\n\treturn x + 1\n\nprint(f(1))\n";
    const diff = "--- a/m.py\n+++ b/m.py\n@@ -3,2 +3,2 @@\n def f(x) :\n-    return x + 1\n+    return x + 2\n";
    const error = await refusal({ "m.py": file }, diff);
    expect({ ...error.toEnvelope("c") }).toEqual({
      code: "PATCH_FAILED",
      message:
        "m.py: hunk 1 (@@ -3,2 +3,2 @@) fits nowhere; nearest is line 3:\n" +
        "line 3: spacing\n- def·f(x)·:\n+ def·f(x):\nline 4: indentation\n- ····return x + 1\n+ →return x + 1",
      hint: "In the hunk copy the lines marked + from the file in place of yours (-; → is a tab; · a space). Nothing was changed.",
      failed: [
        {
          path: "m.py",
          hunk: 1,
          header: "@@ -3,2 +3,2 @@",
          reason: "nowhere",
          nearest: 3,
          differs: [
            { line: 3, wanted: "def f(x) :", found: "def f(x):", kinds: ["spacing"] },
            { line: 4, wanted: "    return x + 1", found: "\treturn x + 1", kinds: ["indentation"] },
          ],
        },
      ],
      failed_count: 1,
      correlation_id: "c",
    });
    const { failed } = error.details as {
      failed: readonly { differs: readonly { wanted: string; found: string }[] }[];
    };
    const mended = (failed[0]?.differs ?? []).reduce((text, { wanted, found }) => text.replace(wanted, found), diff);
    expect(await changesOf({ "m.py": file }, mended)).toMatchObject([
      { after: file.replace("\treturn x + 1", "    return x + 2") },
    ]);
  });

  test("names each of the first three hunks and counts the others, within the bounds of a message", async () => {
    const file = Array.from(
      { length: 50 },
      (_, line) => `the line number ${line} of this file, which is not short\n`,
    ).join("");
    const hunks = Array.from(
      { length: 9 },
      (_, nth) =>
        `@@ -${nth * 5 + 1} +${nth * 5 + 1} @@\n-the line number ${nth * 5}0 of this file, which was not short\n+x\n`,
    );
    const error = await refusal({ f: file }, `--- a/f\n+++ b/f\n${hunks.join("")}`);
    expect(error.message.match(/hunk \d+/g)).toEqual(["hunk 1", "hunk 2", "hunk 3"]);
    expect(error.message).toMatch(/… and 6 more$/);
    expect(error.message.length).toBeLessThanOrEqual(600);
    expect(error.details).toMatchObject({ failed: [{ hunk: 1 }, { hunk: 2 }, { hunk: 3 }], failed_count: 9 });
  });

  test("about several files names them all, with their own reasons", async () => {
    const diff = modified("gone", "a", "b") + modified("x", "q", "r") + "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+n\n";
    const error = await refusal({ x: "a\n" }, diff);
    expect(error).toMatchObject({ code: "PATCH_FAILED", details: { failed_count: 3 } });
    expect(error.message).toBe("gone does not exist\nx: hunk 1 (@@ -1 +1 @@) fits nowhere\nx exists already");
  });

  test("keeps long paths, lines and headers short", async () => {
    const path = "d/".repeat(400) + "f";
    const line = "y".repeat(3000);
    const error = await refusal(
      { [path]: `${line}1\n` },
      `--- a/${path}\n+++ b/${path}\n@@ ${"-1".repeat(300)} @@\n-${line}2\n+z\n`,
    );
    expect(JSON.stringify(error.toEnvelope("c")).length).toBeLessThan(4000);
  });
});
