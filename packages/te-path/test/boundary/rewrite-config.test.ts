import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshDir, plant } from "../tree.js";
import { boundariesOf } from "./opened.js";

const OLD = "[core]\n\tbare = false\n";

/** Makes a repository, a file outside of the root, and a rewrite of the guarded config. */
async function repository() {
  const dir = plant(freshDir(), { "root/r/.git/config": OLD, "root/r/.git/modules/sub/config": OLD, outside: "SAFE" });
  const [root, outside] = [join(dir, "root"), join(dir, "outside")];
  const config = join(root, "r/.git/config");
  const boundaries = boundariesOf(root);
  const { guarded } = await boundaries.around(join(root, "r"));
  const identityOf = (path: string) => guarded.find((each) => each.path === path)?.identity ?? "";
  const rewrite = (content: string | undefined, { path = config, meanwhile = () => {} } = {}) =>
    boundaries.rewriteConfig(path, identityOf(path), async (current) => {
      expect(current.toString()).toBe(OLD);
      meanwhile();
      return content === undefined ? undefined : Buffer.from(content);
    });
  return { root, outside, config, boundaries, rewrite };
}

test("the file keeps its place on the disk, so that covers of running sandboxes stay on it", async () => {
  const { config, rewrite, root } = await repository();
  chmodSync(config, 0o640);
  const { ino, mode } = lstatSync(config);
  expect(await rewrite("[core]\n\tbare = true\n[user]\n\tname = x\n")).toBe(true);
  expect(readFileSync(config, "utf8")).toBe("[core]\n\tbare = true\n[user]\n\tname = x\n");
  expect([lstatSync(config).ino, lstatSync(config).mode]).toEqual([ino, mode]);
  expect(existsSync(`${config}.lock`)).toBe(false);
  expect(await rewrite("short\n", { path: join(root, "r/.git/modules/sub/config") })).toBe(true);
  expect(readFileSync(join(root, "r/.git/modules/sub/config"), "utf8")).toBe("short\n");
});

test("no change leaves it as it is, and so does a failure; the lock goes", async () => {
  const { config, rewrite } = await repository();
  expect(await rewrite(undefined)).toBe(false);
  const failing = () => {
    throw new Error("no git");
  };
  await expect(rewrite("x", { meanwhile: failing })).rejects.toThrow("no git");
  expect([readFileSync(config, "utf8"), existsSync(`${config}.lock`)]).toEqual([OLD, false]);
});

test("git's lock is held meanwhile, and one of git's own is waited for by nobody", async () => {
  const { config, rewrite } = await repository();
  let wasLocked = false;
  await rewrite(OLD, { meanwhile: () => (wasLocked = existsSync(`${config}.lock`)) });
  expect(wasLocked).toBe(true);
  writeFileSync(`${config}.lock`, "git's");
  expect(await rewrite("x")).toBe(false);
  expect([readFileSync(config, "utf8"), readFileSync(`${config}.lock`, "utf8")]).toEqual([OLD, "git's"]);
});

test.each([
  ["another file", (config: string) => (writeFileSync(`${config}-2`, OLD), renameSync(`${config}-2`, config))],
  ["a link", (config: string, outside: string) => (rmSync(config), symlinkSync(outside, config))],
  ["a second name of a file elsewhere", (config: string, outside: string) => linkSync(config, `${outside}-2`)],
  ["a folder", (config: string) => (rmSync(config), mkdirSync(config))],
  ["nothing", (config: string) => rmSync(config)],
])("%s in its place is not written to", async (_, swap) => {
  const { config, outside, rewrite } = await repository();
  swap(config, outside);
  expect(await rewrite("evil")).toBe(false);
  expect(readFileSync(outside, "utf8")).toBe("SAFE");
  expect(existsSync(`${config}.lock`)).toBe(false);
});

test("a link in place of the folder leads nowhere", async () => {
  const { root, config, rewrite } = await repository();
  renameSync(join(root, "r/.git"), join(root, "moved"));
  symlinkSync(join(root, "moved"), join(root, "r/.git"));
  expect(await rewrite("evil")).toBe(false);
  expect(readFileSync(config, "utf8")).toBe(OLD);
});

test("a swap between reading and writing does not lead the writing elsewhere", async () => {
  const { config, outside, rewrite } = await repository();
  await rewrite("mine", {
    meanwhile: () => {
      renameSync(config, `${config}-away`);
      symlinkSync(outside, config);
      rmSync(`${config}.lock`);
      symlinkSync(outside, `${config}.lock`);
    },
  });
  expect([readFileSync(outside, "utf8"), readFileSync(`${config}-away`, "utf8")]).toEqual(["SAFE", "mine"]);
});

test("nothing else is rewritten, whatever path is asked for", async () => {
  const { root, outside, boundaries } = await repository();
  writeFileSync(join(root, "config"), OLD);
  const { dev, ino } = lstatSync(join(root, "config"));
  for (const path of ["config", "r/.git/hooks/x", "r/.git/HEAD", "../outside", "r/.git/../../config"])
    expect(await boundaries.rewriteConfig(join(root, path), `${dev}:${ino}`, async () => Buffer.from("x"))).toBe(false);
  expect([readFileSync(join(root, "config"), "utf8"), readFileSync(outside, "utf8")]).toEqual([OLD, "SAFE"]);
});
