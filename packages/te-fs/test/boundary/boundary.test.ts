import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFiles, type FilesOptions } from "../../src/index.js";
import { freshDir, plant } from "../tree.js";

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

  expect((await files.boundary(dir)).hidden.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
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
