import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { snapshot } from "../../../te-path/test/snapshot.js";
import { failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";

const ME = { owner: "me", session: "s1" };
const DENY = [".ssh", ".config/gh", ".docker/config.json"];

function homes(root: string): string[] {
  return ["home", "newhome", "far/deep"].map((name) => join(root, name));
}

test.for([
  ["a folder with keys becomes a home", { "evil/.ssh/authorized_keys": "" }, "evil", "newhome"],
  ["a link of that name does", { "evil/.ssh": { to: "elsewhere" } }, "evil", "newhome"],
  ["an empty one does", { "evil/.ssh": null }, "evil", "newhome"],
  ["a tree with a whole home in it", { "evil/deep/.ssh/authorized_keys": "" }, "evil", "far"],
  ["half of such a name", { "evil/gh/hosts.yml": "" }, "evil", "home/.config"],
  ["a file of such a name", { "evil/config.json": "" }, "evil", "home/.docker"],
] as const)("nothing becomes credentials by a move or a copy: %s", async ([, planted, source, target]) => {
  const root = freshDir();
  plant(root, { "home/x": "", "far-x": "" });
  plant(root, planted);
  const files = filesIn(root, { homes: homes(root), deny: DENY, stateDir: freshDir() });
  const before = snapshot(root);
  for (const go of [files.move, files.copy]) {
    const { code, remedy } = await failure(go(source, target, ME));
    expect([code, remedy?.id]).toEqual(["INVALID_PATH", "open-credentials"]);
  }
  expect(snapshot(root)).toEqual(before);
});

test("what becomes no credentials goes there all the same", async () => {
  const root = plant(freshDir(), { "a/x/.ssh/k": "", "a/.sshx": "", "b/hub": "", "home/x": "" });
  const files = filesIn(root, { homes: homes(root), deny: DENY, stateDir: freshDir() });
  await files.move("a", "newhome", ME);
  await files.copy("b", "home/.config", ME);
  expect(["newhome/x/.ssh/k", "newhome/.sshx", "home/.config/hub"].map((path) => existsSync(join(root, path)))).toEqual(
    [true, true, true],
  );
});

test("an undo does not make credentials of what came into a moved folder since", async () => {
  const root = plant(freshDir(), { "newhome/x": "", "home/x": "" });
  const stateDir = freshDir();
  // A server that knows no homes moved it; the one that takes it back does.
  const { undo } = await filesIn(root, { stateDir }).move("newhome", "moved", ME);
  mkdirSync(join(root, "moved/.ssh"));
  const files = filesIn(root, { homes: homes(root), deny: DENY, stateDir });
  expect((await failure(files.undo(undo?.id, ME))).code).toBe("INVALID_PATH");
  expect([existsSync(join(root, "newhome")), existsSync(join(root, "moved/.ssh"))]).toEqual([false, true]);
  rmSync(join(root, "moved/.ssh"), { recursive: true });
  await files.undo(undo?.id, ME);
  expect(existsSync(join(root, "newhome/x"))).toBe(true);
});
