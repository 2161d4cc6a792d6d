import { openSync, readFileSync, closeSync, constants } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { drive, type Network } from "../../src/kernel/drive.js";
import { Mounts } from "../../src/kernel/mounts.js";
import { close, inFolder } from "../../src/kernel/syscalls.js";
import { parseRequestedPath } from "../../../names/src/path/requested-path.js";
import { openRoots } from "../../src/scope/open-roots.js";
import { walkToTarget } from "../../src/scope/walk.js";
import { failure, freshDir, plant } from "../tree.js";

const noNetwork: Network = {
  call: () => Promise.reject(new Error("no network mount here")),
  release: () => {},
};

function parentOf(root: string): (path: string) => Promise<{ name: string; real: string; content: string | null }> {
  const { scope: tree, closeRoots: uproot } = openRoots(
    { roots: [root], home: "/nonexistent-home", homes: [] },
    new Mounts(),
  );
  onTestFinished(() => drive(uproot(), noNetwork));
  return async (path) => {
    const { parent, name, real } = await drive(
      walkToTarget(tree, parseRequestedPath(path, root, "/"), { follow: false }),
      noNetwork,
    );
    try {
      return { name, real, content: contentOf(inFolder(parent, name)) };
    } finally {
      await drive(close(parent), noNetwork);
    }
  };
}

function contentOf(path: string): string | null {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return readFileSync(fd, "utf8");
    } finally {
      closeSync(fd);
    }
  } catch (thrown) {
    return (thrown as { code: string }).code;
  }
}

test("the folder of a name is held open, whether or not the name is taken, and a link there is not followed", async () => {
  const root = plant(freshDir(), { "a/f": "content", link: { to: "a" }, "a/out": { to: "/etc/passwd" } });
  const parent = parentOf(root);
  expect(await Promise.all(["a/f", "link/f", "a/new", "link/out", "."].map(parent))).toEqual([
    { name: "f", real: `${root}/a/f`, content: "content" },
    { name: "f", real: `${root}/a/f`, content: "content" },
    { name: "new", real: `${root}/a/new`, content: "ENOENT" },
    { name: "out", real: `${root}/a/out`, content: "ELOOP" },
    { name: ".", real: root, content: "EISDIR" },
  ]);
});

test("a missing folder, a file as a folder and a way out are errors as they are for a read", async () => {
  const root = plant(freshDir(), { f: "x", out: { to: "/etc" } });
  const parent = parentOf(root);
  expect(
    await Promise.all(["no/f", "f/x", "out/passwd", "../x"].map(async (path) => (await failure(parent(path))).code)),
  ).toEqual(["ENOENT", "NOT_A_DIRECTORY", "INVALID_PATH", "INVALID_PATH"]);
});
