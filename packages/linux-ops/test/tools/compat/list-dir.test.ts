import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { test, textOf } from "../../helpers.js";

function plant(root: string, names: readonly string[]): void {
  for (const name of names) writeFileSync(join(root, name), "");
}

test("answers the names in a folder and the folder's path", async ({ root, ops }) => {
  plant(root, ["b", "a"]);
  mkdirSync(join(root, "z"));
  expect(await ops.call("list_dir", { path: "." })).toEqual({ data: ["a", "b", "z"], meta: { path: root } });
});

test("says how many names with a dot it left out, and gives them when asked", async ({ root, ops }) => {
  plant(root, ["a", ".env"]);
  expect(await ops.call("list_dir", { path: root })).toEqual({ data: ["a"], meta: { path: root, hidden: 1 } });
  expect((await ops.call("list_dir", { path: root, include_hidden: true })).data).toEqual([".env", "a"]);
});

test("a folder with more is cut, and the rest is behind a handle", async ({ root, ops }) => {
  plant(root, ["a", "b", "c"]);
  const { data, meta } = await ops.call("list_dir", { path: root, max_entries: 2 });
  expect([data, meta]).toEqual([
    ["a", "b"],
    { path: root, truncated: true, total_entries: 3, handle: expect.stringMatching(/^H_fs_list_/) },
  ]);
  const all = await ops.call("linux.handle_read", { handle: meta.handle ?? "" });
  expect((JSON.parse(all.data) as { path: string }[]).map(({ path }) => path)).toEqual(
    ["a", "b", "c"].map((name) => join(root, name)),
  );
});

test("as text it is a header and a name a line", async ({ root }) => {
  plant(root, ["a", "b\nc", ".d"]);
  expect(await textOf(root, "list_dir", { path: root })).toBe(
    `[${root} · 2 entries · 1 hidden (include_hidden)]\na\n"b\\nc"`,
  );
  const cut = await textOf(root, "list_dir", { path: root, max_entries: 1 });
  expect(cut.replace(/h\d{6}/, "H")).toBe(`[${root} · 1 of 2 entries · 1 hidden (include_hidden) · all: H]\na`);
});

test.for([
  ["f", "NOT_A_DIRECTORY"],
  ["none", "NOT_FOUND"],
  ["/etc", "INVALID_PATH"],
] as const)("%s is %s", async ([path, code], { root, ops }) => {
  plant(root, ["f"]);
  await expect(ops.call("list_dir", { path })).rejects.toMatchObject({ code });
});
