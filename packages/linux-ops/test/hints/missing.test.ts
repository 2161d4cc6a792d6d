import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { opsWith, test } from "../helpers.js";

async function plant(root: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), "x");
  }
}

const TREE = [
  "src/config.ts",
  "src/deep/unique-name.ts",
  "src/a/index.ts",
  "src/b/index.ts",
  "src/c/index.ts",
  "README.md",
];

test.for([
  ["a letter that is wrong", "src/confg.ts", "Did you mean R/src/config.ts?"],
  ["other case", "readme.MD", "Did you mean R/README.md?"],
  ["a folder that is misspelled", "srcs/config.ts", "Did you mean R/src/config.ts?"],
  ["a file that is in another folder", "lib/config.ts", "Did you mean R/src/config.ts?"],
  ["a folder that is misspelled, and nothing in it", "srcs/zzz.py", "Did you mean R/src?"],
  ["an extension that is missing", "src/config", "Did you mean R/src/config.ts?"],
  ["a file that is elsewhere", "unique-name.ts", "Did you mean R/src/deep/unique-name.ts?"],
  ["a name that is in many places", "index.ts", "List R to see what is there."],
  ["nothing like it", "src/b/zzz.py", "List R/src/b to see what is there."],
  ["a line number behind the name", "src/config.ts:12", "For line 12 give R/src/config.ts#L12."],
  ["a line and a column", "src/config.ts:12:5", "For line 12 give R/src/config.ts#L12."],
  ["lines behind the name", "src/config.ts:2-3", "For lines 2 to 3 give R/src/config.ts#L2-L3."],
  ["a URL", "file:///srv/x", "Give the path alone, without file://."],
  ["a pattern", "src/*.ts", "No pattern is taken here: list R/src with file_glob."],
] as const)("what is missing by %s is hinted at", async ([, path, hint], { root, ops }) => {
  await plant(root, TREE);
  const failure = (await ops.call("linux.fs_read", { path }).catch((thrown: unknown) => thrown)) as {
    code: string;
    hint: string;
  };
  expect([failure.code, failure.hint.replaceAll(root, "R")]).toEqual(["NOT_FOUND", hint]);
});

test("each tool that misses a file hints, and several files each for itself", async ({ root, ops }) => {
  await plant(root, TREE);
  const failures = [
    ops.call("linux.fs_list", { path: "sources" }),
    ops.call("linux.fs_move", { source: "REAMDE.md", target: "x" }),
    ops.call("linux.fs_delete", { path: "REAMDE.md" }),
    ops.call("stat", { path: "REAMDE.md" }),
  ].map((call) => call.catch(({ hint }: { hint: string }) => hint.replaceAll(root, "R")));
  expect(await Promise.all(failures)).toEqual([
    "List R to see what is there.",
    "Did you mean R/README.md?",
    "Did you mean R/README.md?",
    "Did you mean R/README.md?",
  ]);
  const { files } = await ops.call("linux.fs_read", { paths: ["REAMDE.md"] });
  expect(files?.[0]?.error?.hint).toBe(`Did you mean ${root}/README.md?`);
});

test("a link to nothing is told as that", async ({ root, ops }) => {
  await symlink("gone", join(root, "link"));
  await expect(ops.call("linux.fs_read", { path: "link" })).rejects.toMatchObject({
    hint: `${root}/link is a link to a missing path, or it was moved a moment ago.`,
  });
});

test("a file that is there after all is not told as a link to nothing", async ({ root }) => {
  await plant(root, ["p/root/f"]);
  const ops = opsWith(join(root, "p/root"), {});
  await rename(join(root, "p"), join(root, "q"));
  await symlink("q", join(root, "p"));
  const args = { path: "f", old_text: "x", new_text: "y" };
  await expect(ops.call("linux.fs_patch_block", args)).rejects.toMatchObject({
    hint: `${root}/p/root/f is a link to a missing path, or it was moved a moment ago.`,
  });
  await ops.close();
});

test("names that are not Latin are not alike because they have nothing Latin", async ({ root, ops }) => {
  await plant(root, ["日本.txt", "café.txt"]);
  await expect(ops.call("linux.fs_read", { path: "中国.txt" })).rejects.toMatchObject({
    hint: `List ${root} to see what is there.`,
  });
  // The accent as a character of its own.
  await expect(ops.call("linux.fs_read", { path: "cafe\u0301.txt" })).rejects.toMatchObject({
    hint: `Did you mean ${root}/café.txt?`,
  });
});

test("a name that looks like the one asked for is spelled so that it is seen to be another", async ({ root, ops }) => {
  await plant(root, ["cafe\u0301.txt"]);
  await expect(ops.call("linux.fs_read", { path: "caf\u00e9.txt" })).rejects.toMatchObject({
    hint: `Did you mean "${root}/cafe\\u0301.txt"?`,
  });
});

test("an odd name is spelled so that it can be given back", async ({ root, ops }) => {
  await plant(root, ["first\nsecond.txt"]);
  const { hint } = (await ops
    .call("linux.fs_read", { path: "first\nsecnd.txt" })
    .catch((thrown: unknown) => thrown)) as {
    hint: string;
  };
  expect(hint).toBe(`Did you mean "${root}/first\\nsecond.txt"?`);
});

test("what is closed is not named", async ({ root }) => {
  await plant(root, [".ssh/id_rsa"]);
  const ops = opsWith(root, { linux_ops: { roots: { deny: [".ssh"] } } });
  const { hint } = (await ops.call("linux.fs_read", { path: "id_rsa" }).catch((thrown: unknown) => thrown)) as {
    hint: string;
  };
  expect(hint).toBe(`List ${root} to see what is there.`);
  await ops.close();
});

test("a path that is missing for many levels is answered without looking at each", async ({ root, ops }) => {
  await expect(ops.call("linux.fs_read", { path: `${root}/${"y/".repeat(1500)}z` })).rejects.toMatchObject({
    code: "NOT_FOUND",
    hint: undefined,
  });
});

test("what lies outside of the roots is answered with the roots", async ({ root, ops }) => {
  await symlink("/etc", join(root, "out"));
  for (const path of ["/etc/passwd", "out/passwd"])
    await expect(ops.call("linux.fs_read", { path })).rejects.toMatchObject({
      code: "INVALID_PATH",
      hint: `Use a path inside ${root}; the operator adds roots with --root or roots.allowed_roots.`,
    });
});
