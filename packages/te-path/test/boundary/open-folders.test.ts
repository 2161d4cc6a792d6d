import { readdirSync, renameSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Syscall } from "../../src/kernel/syscalls.js";
import { tableWith } from "../fuse.js";
import { plantDeep } from "../run-here.js";
import { freshDir, plant, codeOf } from "../tree.js";
import { boundariesOf, guardedIn } from "./opened.js";

const descriptors = () => readdirSync("/proc/self/fd").length;

/** Paths given to the kernel as a whole, and not by a name in a folder that is held. */
function wholePaths({ args }: Syscall): string[] {
  return args
    .filter((arg) => typeof arg === "string")
    .filter((arg) => arg.startsWith("/") && !arg.startsWith("/proc/"));
}

function repository(path: string) {
  return {
    [`${path}/.git/config`]: "",
    [`${path}/.git/hooks/pre-commit`]: "",
    [`${path}/.git/modules/sub/config`]: "",
  };
}

test("nothing but the root is opened by its path, and nothing is looked at by its path", async () => {
  const dir = plant(freshDir(), {
    ...repository("root/a/repo"),
    "root/server/main.js": "",
    "state/db": "",
    "home/.ssh/id": "",
  });
  const root = `${dir}/root`;
  const seen = new Set<string>();
  const boundaries = boundariesOf(root, {
    before: (call) => wholePaths(call).forEach((path) => seen.add(path)),
    home: `${dir}/home`,
    deny: [".ssh"],
    privatePaths: [`${dir}/state`],
    program: [`${root}/server`],
  });

  expect(guardedIn(await boundaries.around(`${root}/a/repo`), root)).toEqual([
    "a/repo/.git/config",
    "a/repo/.git/hooks",
    "a/repo/.git/modules/sub/config",
    "server",
  ]);
  expect((await boundaries.shut()).map(({ path }) => path)).toEqual([`${dir}/state`, `${dir}/home/.ssh`]);
  expect([...seen].toSorted()).toEqual(["/", root].toSorted());
});

test("a folder that becomes a link before it is listed is not left, and is no reason to miss its repository later", async () => {
  const dir = plant(freshDir(), {
    ...repository("root/a/repo"),
    "outside/repo/file": "",
    "outside/.envrc": "",
    link: { to: "../outside" },
  });
  const root = `${dir}/root`;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  let swaps = 0;
  const swap = () => {
    renameSync(`${root}/a`, `${dir}/aside`);
    renameSync(`${dir}/link`, `${root}/a`);
    swaps += 1;
  };
  const swapBack = () => {
    renameSync(`${root}/a`, `${dir}/link`);
    renameSync(`${dir}/aside`, `${root}/a`);
  };
  // Before every single call once, from the first look on.
  for (let at = 0; at === 0 || swaps === at; at += 1) {
    let calls = 0;
    const boundaries = boundariesOf(root, { before: () => void (calls++ === at && swap()) });
    const { guarded } = await boundaries.around(root);
    expect(guarded.filter(({ path }) => path.includes(".envrc"))).toEqual([]);
    if (swaps === at) break;
    swapBack();
    expect(guardedIn(await boundaries.around(root), root)).toEqual([
      "a/repo/.git/config",
      "a/repo/.git/hooks",
      "a/repo/.git/modules/sub/config",
    ]);
  }
  expect(swaps).toBeGreaterThan(20);
});

test("of folders without end few are held open, and none after the look", async () => {
  const root = freshDir();
  plantDeep(root, 3000);
  for (let at = 0; at < 400; at += 1) plant(root, { [`wide/${at}/below`]: null });
  plant(root, { "wide/399/below/.git/config": "" });
  const open = descriptors();
  let most = 0;
  const count = ({ name }: Syscall) => void (name === "open" && (most = Math.max(most, descriptors())));
  const boundaries = boundariesOf(root, { before: count });
  expect(guardedIn(await boundaries.around(root), root)).toEqual(["wide/399/below/.git/config"]);
  expect(most).toBeGreaterThan(open + 100);
  expect(most).toBeLessThan(open + 150);
  // The scope itself holds the root and "/".
  expect(descriptors()).toBeLessThanOrEqual(open + 2);
});

test("a look that is cancelled ends at once and leaves no descriptor", async () => {
  const root = freshDir();
  for (let at = 0; at < 300; at += 1) plant(root, { [`${at}/below/.git/config`]: "" });
  const ended = new AbortController();
  const boundaries = boundariesOf(root);
  await boundaries.around(root);
  const open = descriptors();
  const looked = boundaries.around(root, ended.signal);
  ended.abort();
  expect(await codeOf(looked)).toBe("CANCELLED");
  expect(descriptors()).toBe(open);
});

test("a network mount is not entered, and a root that has gone or became a link holds nothing", async () => {
  const dir = plant(freshDir(), {
    ...repository("root/net/repo"),
    ...repository("root/repo"),
    ...repository("outside/repo"),
  });
  const root = `${dir}/root`;
  const names: string[] = [];
  const boundaries = boundariesOf(root, {
    mountinfo: tableWith(`${root}/net`),
    before: ({ args }) => void names.push(...args.map(String)),
  });
  const own = ["repo/.git/config", "repo/.git/hooks", "repo/.git/modules/sub/config"];
  expect(guardedIn(await boundaries.around(root), root)).toEqual(own);
  expect(names.filter((name) => name === "net" || name.endsWith("/net"))).toEqual([]);

  // A command's own folder is looked at wherever it lies.
  const there = await boundaries.around(`${root}/net/repo`);
  expect(guardedIn(there, root)).toEqual([...own.map((path) => `net/${path}`), ...own]);

  renameSync(root, `${dir}/old`);
  expect((await boundaries.around(root)).guarded).toEqual([]);
  plant(dir, { root: { to: "outside" } });
  expect((await boundaries.around(root)).guarded).toEqual([]);
});
