import { lstatSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Syscall } from "../../src/kernel/syscalls.js";
import { placeNew } from "../../src/copy/place-new.js";
import { runWatched } from "../run-here.js";
import { freshDir, plant } from "../tree.js";

function no(code: string): never {
  throw Object.assign(new Error(code), { code });
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    return (thrown as { code: string }).code;
  }
  return "none";
}

function folder(): {
  dir: string;
  place: (before: (call: Syscall) => void) => void;
  all: () => Record<string, string>;
} {
  const dir = plant(freshDir(), { from: "mine" });
  return {
    dir,
    place: (before) => runWatched(placeNew(null, join(dir, "from"), join(dir, "to"), false), before),
    all: () => Object.fromEntries(readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), "utf8")])),
  };
}

test("a file gets the name, a link does, and a folder does", () => {
  const { dir, place, all } = folder();
  place(() => {});
  expect(all()).toEqual({ to: "mine" });
  symlinkSync("nowhere", join(dir, "l"));
  plant(dir, { "d/x": "" });
  runWatched(placeNew(null, join(dir, "l"), join(dir, "k"), false), () => {});
  runWatched(placeNew(null, join(dir, "d"), join(dir, "c"), true), () => {});
  expect([lstatSync(join(dir, "k")).isSymbolicLink(), readdirSync(join(dir, "c"))]).toEqual([true, ["x"]]);
});

test.for(["EPERM", "ENOTSUP", "EMLINK", "ENOSYS"])(
  "where links are answered with %s a rename does it, after a look",
  (code) => {
    const free = folder();
    free.place(({ name }) => (name === "link" ? no(code) : undefined));
    expect(free.all()).toEqual({ to: "mine" });
    const { dir, place, all } = folder();
    writeFileSync(join(dir, "to"), "theirs");
    expect(codeOf(() => place(({ name }) => (name === "link" ? no(code) : undefined)))).toBe("EEXIST");
    expect(all()).toEqual({ from: "mine", to: "theirs" });
  },
);

test("a name that is taken at the last moment is not replaced: the kernel says so", () => {
  const { dir, place, all } = folder();
  const take = ({ name }: Syscall): void => (name === "link" ? writeFileSync(join(dir, "to"), "theirs") : undefined);
  expect(codeOf(() => place(take))).toBe("EEXIST");
  expect(all()).toEqual({ from: "mine", to: "theirs" });
});

test("a folder does not take the place of what is there", () => {
  const dir = plant(freshDir(), { "d/x": "", empty: null });
  expect(codeOf(() => runWatched(placeNew(null, join(dir, "d"), join(dir, "empty"), true), () => {}))).toBe("EEXIST");
  expect(readdirSync(join(dir, "empty"))).toEqual([]);
});

test("a file that replaces the source in the middle is moved in its stead, and not lost", () => {
  const { dir, place, all } = folder();
  let isDone = false;
  place(({ name, args: [path] }) => {
    if (name !== "lstat" || path !== join(dir, "from") || isDone || !readdirSync(dir).includes("to")) return;
    isDone = true;
    writeFileSync(join(dir, "next"), "newer");
    renameSync(join(dir, "next"), join(dir, "from"));
  });
  expect(all()).toEqual({ to: "newer" });
});

test("a file that replaces the target in the middle stays, and so does the source", () => {
  const { dir, place, all } = folder();
  const replace = ({ name, args: [path] }: Syscall): void => {
    if (name !== "lstat" || path !== join(dir, "from") || !readdirSync(dir).includes("to")) return;
    writeFileSync(join(dir, "next"), "theirs");
    renameSync(join(dir, "next"), join(dir, "to"));
  };
  expect(codeOf(() => place(replace))).toBe("EEXIST");
  expect(all()).toEqual({ from: "mine", to: "theirs" });
});

test("a source that goes away in the middle is at the target", () => {
  const { dir, place, all } = folder();
  place(({ name, args: [path] }) => {
    if (name === "lstat" && path === join(dir, "from") && readdirSync(dir).includes("to")) rmSync(join(dir, "from"));
  });
  expect(all()).toEqual({ to: "mine" });
});

test("where the first name cannot be taken away the second goes again", () => {
  const { dir, place, all } = folder();
  const keep = ({ name, args: [path] }: Syscall): void =>
    name === "unlink" && path === join(dir, "from") ? no("EPERM") : undefined;
  expect(codeOf(() => place(keep))).toBe("EPERM");
  expect(all()).toEqual({ from: "mine" });
});
