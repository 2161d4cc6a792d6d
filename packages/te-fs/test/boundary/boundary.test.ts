import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openFiles, type FilesOptions } from "../../src/index.js";
import { freshDir, plant } from "../../../te-path/test/tree.js";

function opened(dir: string, options: Partial<FilesOptions> = {}) {
  const files = openFiles({ roots: [dir], home: join(dir, "me"), homes: [], ...options });
  onTestFinished(() => files.close());
  return files;
}

const paths = (guarded: readonly { path: string }[], dir: string) =>
  guarded.map(({ path }) => path.slice(dir.length + 1)).toSorted();

test("what stays shut: our own state and credentials, where they exist", async () => {
  const dir = plant(freshDir(), { "state/x": "", "me/.ssh/id": "", "me/.netrc": "", "other/.ssh/id": "" });
  const files = opened(dir, { privatePaths: [join(dir, "state"), join(dir, "nowhere")], deny: [".ssh", ".netrc"] });

  expect((await files.shut()).toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
    { path: join(dir, "me/.netrc"), kind: "file" },
    { path: join(dir, "me/.ssh"), kind: "folder" },
    { path: join(dir, "state"), kind: "folder" },
  ]);
});

test("what others execute is guarded at the top, around the folder, and in repositories below", async () => {
  const dir = plant(freshDir(), {
    ".vscode/tasks.json": "",
    "a/.git/hooks/x": "",
    "a/.git/config": "",
    "a/.git/modules/sub/config": "",
    "a/deep/down/here/and/further/.envrc": "",
    "b/.git/config": "",
    "b/node_modules/c/.git/config": "",
    "me/.bashrc": "",
    "me/.config/autostart/x": "",
    "plain/file": "",
  });
  const { guarded, pinned } = await opened(dir).boundary(join(dir, "a/deep/down/here/and/further"));

  expect(paths(guarded, dir)).toEqual([
    ".vscode",
    "a/.git/config",
    "a/.git/hooks",
    "a/.git/modules/sub/config",
    "a/deep/down/here/and/further/.envrc",
    "b/.git/config",
    "me/.bashrc",
    "me/.config/autostart",
  ]);
  expect(pinned.toSorted()).toEqual([join(dir, "a/.git"), join(dir, "b/.git")]);
});

test("a repository is found however deep it lies, but not among what others have unpacked", async () => {
  const deep = "a/b/c/d/e/f/g/h/i/j/k/l/m";
  const dir = plant(freshDir(), {
    [`${deep}/.git/hooks/x`]: "",
    "vendor/some/lib/.git/config": "",
    "node_modules/c/.git/config": "",
    "a/target/x/.git/config": "",
    "a/.venv/x/.git/config": "",
  });
  const files = opened(dir);
  expect(paths((await files.boundary(dir)).guarded, dir)).toEqual([
    `${deep}/.git/hooks`,
    "vendor/some/lib/.git/config",
  ]);

  rmSync(join(dir, "vendor/some"), { recursive: true });
  plant(dir, { [`${deep}/n/o/.git/config`]: "" });
  expect(paths((await files.boundary(dir)).guarded, dir)).toEqual([`${deep}/.git/hooks`, `${deep}/n/o/.git/config`]);
});

test("what was found stays guarded when somebody makes more folders than are looked into", async () => {
  const dir = plant(freshDir(), { "one/two/three/.git/config": "" });
  const files = opened(dir);
  expect(paths((await files.boundary(dir)).guarded, dir)).toEqual(["one/two/three/.git/config"]);

  for (let at = 0; at < 20_100; at += 1) mkdirSync(join(dir, `${at}`));
  expect(paths((await files.boundary(dir)).guarded, dir)).toEqual(["one/two/three/.git/config"]);
  // Those at the top were looked into first: what lies deeper than all of them was not reached any more.
  plant(dir, { "one/two/four/.git/config": "" });
  const again = opened(dir);
  expect(paths((await again.boundary(dir)).guarded, dir)).toEqual([]);
  expect(paths((await again.boundary(join(dir, "one/two/four"))).guarded, dir)).toEqual(["one/two/four/.git/config"]);
  // Below the command's own folder they are looked for first, and each time.
  const near = async () => paths((await again.boundary(join(dir, "one"))).guarded, dir);
  expect(await near()).toEqual(["one/two/four/.git/config", "one/two/three/.git/config"]);
  plant(dir, { "one/five/.git/config": "" });
  expect(await near()).toContain("one/five/.git/config");
});

test("what changed is seen though folders that have not changed are not listed again", async () => {
  const dir = plant(freshDir(), { "a/b/c/file": "", "a/d/file": "" });
  const files = opened(dir);
  // As old as a time stamp has to be to tell of every change.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3000 });
  onTestFinished(() => void vi.useRealTimers());
  expect((await files.boundary(dir)).guarded).toEqual([]);
  plant(dir, { "a/b/c/.envrc": "" });
  expect(paths((await files.boundary(dir)).guarded, dir)).toEqual(["a/b/c/.envrc"]);
  expect(paths((await files.boundary(join(dir, "a/d"))).guarded, dir)).toEqual(["a/b/c/.envrc"]);
  rmSync(join(dir, "a/b/c/.envrc"));
  expect((await files.boundary(dir)).guarded).toEqual([]);
});

test("what is made is there at the next look, what was replaced is another one, and a link guards nothing", async () => {
  const dir = plant(freshDir(), { ".envrc": "old", "link/.git": { to: "../real" }, "real/config": "" });
  const files = opened(dir);
  const [before] = (await files.boundary(dir)).guarded;
  plant(dir, { ".envrc.new": "new", "sub/.git/config": "" });
  renameSync(join(dir, ".envrc.new"), join(dir, ".envrc"));

  const { guarded } = await files.boundary(dir);
  expect(paths(guarded, dir)).toEqual([".envrc", "sub/.git/config"]);
  expect(guarded.find(({ path }) => path === before?.path)?.identity).not.toBe(before?.identity);
});

test("with roots.allow_exec_config only the server's own program is guarded", async () => {
  const dir = plant(freshDir(), { ".envrc": "", "server/main.js": "" });
  const { guarded } = await opened(dir, { allowExecConfig: true, program: [join(dir, "server")] }).boundary(dir);

  expect(paths(guarded, dir)).toEqual(["server"]);
});
