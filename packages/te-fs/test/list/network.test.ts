import { expect, test } from "vitest";
import { failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";
import { fuse, tableWith } from "../../../te-path/test/fuse.js";
import { list, pathsIn, watchedSignal } from "./listed.js";

test("on a network mount, below one and above one a listing is the same", async () => {
  const root = plant(freshDir(), {
    "net/a/f": "12",
    "net/a/.gitignore": "f\n",
    "net/l": { to: "a" },
    "net/ä": "",
    "net/state/db": "",
    "local/f": "",
  });
  const options = { privatePaths: [`${root}/net/state`] };
  const local = filesIn(root, options);
  const remote = filesIn(root, { ...options, mountinfo: tableWith(`${root}/net`) });
  for (const [path, wanted] of [
    [".", {}],
    ["net", {}],
    ["net/a", {}],
    [".", { glob: "f" }],
    ["net", { respectGitignore: true }],
  ] as const) {
    const expected = await list(local, path, wanted);
    expect(pathsIn(expected)).not.toEqual([]);
    expect([path, await list(remote, path, wanted)]).toEqual([path, expected]);
  }
});

test("a mount that does not answer is an entry that says so, and the rest is listed", async ({ skip }) => {
  const { dir, mount, stop, resume } = await fuse(skip, { "sub/f": "far" });
  plant(`${dir}/root`, { "near/f": "" });
  const files = filesIn(`${dir}/root`, { mountTimeoutMs: 150 });
  expect(pathsIn(await list(files, "."))).toEqual(["mnt/", "near/", "mnt/sub/", "near/f", "mnt/sub/f"]);
  stop();
  const problem = `the mount ${mount} does not answer`;
  expect(pathsIn(await list(files, "."))).toEqual([`mnt/ (${problem})`, "near/", "near/f"]);
  expect(files.abandoned).toBe(1);
  expect(await failure(list(files, "mnt/sub"))).toMatchObject({ code: "TIMEOUT", message: problem });
  resume();
  await expect.poll(() => files.abandoned).toBe(0);
  expect(pathsIn(await list(files, "."))).toEqual(["mnt/", "near/", "mnt/sub/", "near/f", "mnt/sub/f"]);
});

test("a mount that dies while it is listed costs one thread, however many folders are left in it", async ({ skip }) => {
  const entries = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`d${index}/f`, ""]));
  const { dir, mount, stop } = await fuse(skip, entries);
  const files = filesIn(`${dir}/root`, { mountTimeoutMs: 150 });
  const whole = watchedSignal(() => false);
  expect((await list(files, "mnt", { signal: whole.signal })).total).toBe(80);
  const half = Math.floor(whole.looks() / 2);
  const { signal } = watchedSignal((looks) => {
    if (looks === half) stop();
    return false;
  });
  const { folders, total } = await list(files, "mnt", { signal });
  const problems = folders[0]?.entries.flatMap(({ problem }) => problem ?? []) ?? [];
  expect([total > 40, total < 80, problems.length]).toEqual([true, true, 80 - total]);
  expect(new Set(problems)).toEqual(new Set([`the mount ${mount} does not answer`]));
  expect(files.abandoned).toBe(1);
});
