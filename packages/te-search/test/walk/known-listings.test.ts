import { findSearchRoot } from "../../src/search-root/find-search-root.js";
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../../../te-fs/test/files.js";
import { walked } from "./walked.js";

afterEach(() => void vi.useRealTimers());

/** From now on the kernel gives other time stamps than those that these folders have. */
function untilStampsDiffer(root: string, ...folders: readonly string[]): void {
  const stamp = (path: string): bigint => statSync(path, { bigint: true }).ctimeNs;
  const last = folders.map((folder) => stamp(join(root, folder))).reduce((a, b) => (a > b ? a : b));
  const probe = join(freshDir(), "probe");
  do writeFileSync(probe, "");
  while (stamp(probe) <= last);
}

test("a folder that has not changed for long is known, and whatever changes in it is seen", async () => {
  const root = plant(freshDir(), { "a/b/one": "", "a/two": "", "a/c/d/three": "" });
  const files = filesIn(root);
  const searchRoot = await findSearchRoot(files.scope, root);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  const ways = async (): Promise<readonly string[]> => (await walked(files, searchRoot)).ways;
  const all = ["a/", "a/b/", "a/b/one", "a/c/", "a/c/d/", "a/c/d/three", "a/two"];
  expect(await ways()).toEqual(all);
  expect(await ways()).toEqual(all);

  const changes: readonly (readonly [change: () => void, ways: readonly string[]])[] = [
    [() => writeFileSync(join(root, "a/b/four"), ""), ["a/", "a/b/", "a/b/four", "a/b/one", ...all.slice(3)]],
    [() => rmSync(join(root, "a/b/four")), all],
    [
      () => renameSync(join(root, "a/two"), join(root, "a/2")),
      [...all.slice(0, 1), "a/2", ...all.slice(1, -1)].toSorted(),
    ],
    [() => renameSync(join(root, "a/2"), join(root, "a/two")), all],
    [
      () => {
        rmSync(join(root, "a/two"));
        mkdirSync(join(root, "a/two"));
      },
      [...all.slice(0, -1), "a/two/"],
    ],
    [
      () => {
        rmSync(join(root, "a/two"), { recursive: true });
        symlinkSync("b", join(root, "a/two"));
      },
      [...all.slice(0, -1), "a/two@"],
    ],
    [() => renameSync(join(root, "a/c"), join(freshDir(), "c")), ["a/", "a/b/", "a/b/one", "a/two@"]],
  ];
  for (const [change, expected] of changes) {
    untilStampsDiffer(root, "a", "a/b");
    change();
    expect(await ways()).toEqual(expected);
    expect(await ways()).toEqual(expected);
  }
});

test("rules that were written into a known folder are in force", async () => {
  const root = plant(freshDir(), { "a/one.log": "", "a/two": "" });
  const files = filesIn(root);
  const searchRoot = await findSearchRoot(files.scope, root);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  expect((await walked(files, searchRoot)).ways).toEqual(["a/", "a/one.log", "a/two"]);
  untilStampsDiffer(root, "a");
  writeFileSync(join(root, "a/.gitignore"), "*.log\n");
  expect((await walked(files, searchRoot)).ways).toEqual(["a/", "a/two"]);
  writeFileSync(join(root, "a/.gitignore"), "two\n");
  expect((await walked(files, searchRoot)).ways).toEqual(["a/", "a/one.log"]);
});
