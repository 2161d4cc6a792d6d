import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasBubblewrap, hasNamespaces, place } from "./boxes.js";

/** So many that not each can be guarded by a mount of its own. */
function manyRepositories(folder: string) {
  const pinned = Array.from({ length: 120 }, (_, at) => join(folder, `r${at}/.git`));
  for (const git of pinned) mkdirSync(join(git, "hooks"), { recursive: true });
  for (const git of pinned) writeFileSync(join(git, "config"), "as it was");
  return { pinned, guarded: pinned.flatMap((git) => [join(git, "hooks"), join(git, "config")]) };
}

function rootsAt(...paths: string[]) {
  return paths.map((path) => ({ path, real: path }));
}

describe.each([
  ["bubblewrap", hasBubblewrap, {}],
  ["namespaces", hasNamespaces, { boxKind: "namespaces" }],
] as const)("in %s, with too many repositories to guard each", (_, isThere, options) => {
  describe.skipIf(!isThere)("what goes read-only as a whole", () => {
    test("does not take a root in it along that the command works in", async () => {
      const { outside } = place({ sandbox: "off" });
      const inner = join(outside, "inner");
      mkdirSync(inner);
      const many = manyRepositories(join(outside, "many"));
      const here = place({
        ...options,
        roots: () => rootsAt(outside, inner),
        closed: () => ({ hidden: [], ...many }),
      });
      const { printed } = await here.run(`touch ${inner}/a ${outside}/b ${outside}/many/c`, { cwd: inner });
      expect(printed).toMatch(/^\S*touch: .*many\/c'?: Read-only file system\n$/);
      expect([join(inner, "a"), join(outside, "b")].map((path) => existsSync(path))).toEqual([true, true]);
    });

    test('shows nothing that stays shut, with the root "/" either', async () => {
      const { root, outside } = place({ sandbox: "off" });
      const inner = join(outside, "inner");
      mkdirSync(inner);
      writeFileSync(join(outside, "secret"), "canary");
      const { pinned, guarded } = manyRepositories(join(root, "many"));
      // Of folders around the command's: nothing but all roots can be folded for them.
      const around = Array.from({ length: 310 }, (__, at) => join(root, `guarded${at}`));
      for (const path of around) writeFileSync(path, "as it was");
      const hidden = [{ path: join(outside, "secret"), kind: "file" as const }];
      const look = "ls -A /run; ls -A /sys; ls /proc | grep -c '^[0-9]'; cat /proc/1/root/run/*";
      for (const [roots, cwd, closed] of [
        [rootsAt("/", inner), inner, { pinned, guarded }],
        [rootsAt("/"), root, { pinned: [], guarded: around }],
      ] as const) {
        const here = place({ ...options, roots: () => roots, closed: () => ({ hidden, ...closed }) });
        const { printed } = await here.run(`${look}; cat ${outside}/secret; touch ${closed.guarded[0]}`, { cwd });
        expect(printed).toMatch(/^\d\n/);
        expect(printed).toMatch(/secret: Permission denied/);
        expect(printed).toMatch(/Read-only file system\n$/);
      }
    });

    test("is of the command's own repository only what it knows of its submodules", async () => {
      const { root } = place({ sandbox: "off" });
      const modules = Array.from({ length: 310 }, (__, at) => join(root, `.git/modules/m${at}/config`));
      for (const path of modules) mkdirSync(join(path, ".."), { recursive: true });
      for (const path of [join(root, ".git/config"), ...modules]) writeFileSync(path, "as it was");
      const closed = { hidden: [], pinned: [join(root, ".git")], guarded: [join(root, ".git/config"), ...modules] };
      const here = place({ ...options, roots: () => rootsAt(root), closed: () => closed });
      const { printed } = await here.run("touch a .git/index; touch .git/config; touch .git/modules/m5/config", {
        cwd: root,
      });
      expect(printed).toMatch(/^touch: .*config'?: Read-only.*\ntouch: .*m5\/config'?: Read-only.*\n$/);
      expect([join(root, "a"), join(root, ".git/index")].map((path) => existsSync(path))).toEqual([true, true]);
    });
  });
});
