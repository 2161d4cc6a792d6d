import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, lstatSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { codeOf, failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";
import { list, pathsIn } from "./listed.js";

test("goes breadth first, folders before files and each by the bytes of its name", async () => {
  const root = plant(freshDir(), { "b/two": "", "b/deep/x": "", "a/one": "", Z: "", "a.txt": "", é: "", c: null });
  expect(pathsIn(await list(filesIn(root), "."))).toEqual([
    "a/", "b/", "c/", "Z", "a.txt", "é",
    "a/one",
    "b/deep/", "b/two",
    "b/deep/x",
  ]); // prettier-ignore
});

test("tells type, size and time of each entry, and how much lies in each folder", async () => {
  const root = plant(freshDir(), { "d/f": "12345", "d/e/g": "", l: { to: "d/f" } });
  for (const name of ["d/f", "d/e", "d"]) utimesSync(`${root}/${name}`, 1_700_000_000.5, 1_700_000_000.25);
  const { mtimeMs } = lstatSync(`${root}/l`);
  const time = lstatSync(`${root}/d/e/g`).mtimeMs;
  const at = 1_700_000_000_250;
  const e = {
    path: `${root}/d/e`,
    depth: 2,
    entries: [{ name: "g", type: "file", size: 0, mtimeMs: Math.floor(time) }],
    count: 1,
    total: 1,
  };
  const d = {
    path: `${root}/d`,
    depth: 1,
    entries: [
      { name: "e", type: "dir", mtimeMs: at, contents: e },
      { name: "f", type: "file", size: 5, mtimeMs: at },
    ],
    count: 2,
    total: 3,
  };
  expect(await list(filesIn(root), root)).toEqual({
    path: root,
    folders: [
      {
        path: root,
        depth: 0,
        entries: [
          { name: "d", type: "dir", mtimeMs: at, contents: d },
          { name: "l", type: "symlink", mtimeMs: Math.floor(mtimeMs), target: "d/f" },
        ],
        count: 2,
        total: 5,
      },
      d,
      e,
    ],
    total: 5,
    hidden: 0,
    ignored: 0,
    isWhole: true,
    notEntered: 0,
  });
});

test("enters no folder below the depth; 0 is the folder's own entries", async () => {
  const root = plant(freshDir(), { "a/b/c/d": "" });
  const files = filesIn(root);
  const depths = await Promise.all([0, 1, 2, 3].map(async (depth) => pathsIn(await list(files, root, { depth }))));
  expect(depths).toEqual([["a/"], ["a/", "a/b/"], ["a/", "a/b/", "a/b/c/"], ["a/", "a/b/", "a/b/c/", "a/b/c/d"]]);
});

test("leaves out names with a dot, counts them, and does not look below them", async () => {
  const root = plant(freshDir(), { ".env": "", ".git/config": "", "src/.x": "", "src/y": "" });
  const files = filesIn(root);
  const { hidden, ...rest } = await list(files, root, { includeHidden: false });
  expect([pathsIn({ hidden, ...rest }), hidden]).toEqual([["src/", "src/y"], 3]);
  expect(pathsIn(await list(files, root))).toEqual([".git/", "src/", ".env", ".git/config", "src/.x", "src/y"]);
});

test.for([
  ["*.ts", ["a.ts", "src/b.ts", "src/deep/c.ts"]],
  ["src/*.ts", ["src/b.ts"]],
  ["src/**/*.ts", ["src/b.ts", "src/deep/c.ts"]],
  ["**/deep", ["src/deep/"]],
  ["{a,b}.ts", ["a.ts", "src/b.ts"]],
  ["!*.ts", ["src/", "readme", "src/deep/"]],
  [".env*", [".env.local"]],
  [".github/*", [".github/ci.yml"]],
  ["*.yml", []],
] as const)("lists what matches the glob %s and walks the rest", async ([glob, expected]) => {
  const entries = {
    "a.ts": "",
    readme: "",
    "src/b.ts": "",
    "src/deep/c.ts": "",
    ".env.local": "",
    ".github/ci.yml": "",
  };
  const root = plant(freshDir(), entries);
  expect(pathsIn(await list(filesIn(root), root, { glob, includeHidden: false }))).toEqual(expected);
});

test("a wildcard takes hidden names, too, when they are asked for", async () => {
  const root = plant(freshDir(), { ".github/ci.yml": "", "x.yml": "" });
  expect(pathsIn(await list(filesIn(root), root, { glob: "*.yml" }))).toEqual(["x.yml", ".github/ci.yml"]);
});

test("a broken glob is refused before anything is read", async () => {
  const root = freshDir();
  expect(await codeOf(list(filesIn(root), root, { glob: "[a" }))).toBe("INVALID_ARGUMENT");
});

test("shows what is written in a link, wherever it leads, and does not follow it", async () => {
  const base = plant(freshDir(), { "outside/secret": "", "root/in/f": "" });
  plant(base, {
    "root/loop": { to: "." },
    "root/gone": { to: "nowhere" },
    "root/out": { to: `${base}/outside` },
    "root/here": { to: "in" },
  });
  expect(pathsIn(await list(filesIn(`${base}/root`), "."))).toEqual([
    "in/",
    "gone -> nowhere",
    "here -> in",
    "loop -> .",
    `out -> ${base}/outside`,
    "in/f",
  ]);
});

test("a path through a link inside is followed and kept as it was written; a link out is refused", async () => {
  const base = plant(freshDir(), {
    "outside/secret": "",
    "root/in/f": "",
    "root/l": { to: "in" },
    "root/out": { to: "../outside" },
  });
  const files = filesIn(`${base}/root`);
  const { path, folders } = await list(files, "l");
  expect([path, folders[0]?.path, folders[0]?.entries[0]?.name]).toEqual([`${base}/root/l`, `${base}/root/l`, "f"]);
  expect(await codeOf(list(files, "out"))).toBe("INVALID_PATH");
});

test("what is no folder, not there or outside is told so", async () => {
  const root = plant(freshDir(), { f: "" });
  const files = filesIn(root);
  const codes = await Promise.all(["f", "none", "f/x", "/etc", "..", "/proc"].map((path) => codeOf(list(files, path))));
  expect(codes).toEqual([
    "NOT_A_DIRECTORY",
    "NOT_FOUND",
    "NOT_A_DIRECTORY",
    "INVALID_PATH",
    "INVALID_PATH",
    "INVALID_PATH",
  ]);
});

test("the hint for what is no folder names the folder that can be listed", async () => {
  const root = plant(freshDir(), { "d/f": "" });
  const files = filesIn(root);
  const { hint } = await failure(list(files, "d/f"));
  const [, folder = ""] = /list (\S+)\.$/.exec(hint ?? "") ?? [];
  expect(pathsIn(await list(files, folder))).toEqual(["f"]);
});

test("names of 255 bytes, with a newline, with bytes that are no UTF-8: all are there, and can be listed by what is shown", async () => {
  const root = freshDir();
  const long = "n".repeat(255);
  mkdirSync(`${root}/${long}`);
  writeFileSync(`${root}/a\nb`, "");
  mkdirSync(Buffer.from(`${root}/d\xff`, "latin1"));
  writeFileSync(Buffer.from(`${root}/d\xff/é`, "latin1"), "");
  const files = filesIn(root);
  expect(pathsIn(await list(files, root))).toEqual([`d\\xff/`, `${long}/`, "a\nb", "d\\xff/\\xe9"]);
  expect(pathsIn(await list(files, "d\\xff"))).toEqual(["\\xe9"]);
});

test("special files are listed and never opened", async () => {
  const root = freshDir();
  execFileSync("mkfifo", [`${root}/fifo`]);
  expect((await list(filesIn(root), root)).folders[0]?.entries).toMatchObject([{ name: "fifo", type: "other" }]);
});

test("our own state and credentials are in no list, whatever leads there", async () => {
  const root = plant(freshDir(), {
    "home/.ssh/id": "",
    "home/.config/gh/token": "",
    "home/x": "",
    "state/db": "S",
    f: "",
  });
  linkSync(`${root}/state/db`, `${root}/hard`);
  const files = filesIn(root, {
    privatePaths: [`${root}/state`],
    homes: [`${root}/home`],
    deny: [".ssh", ".config/gh"],
  });
  expect(pathsIn(await list(files, root))).toEqual(["home/", "f", "home/.config/", "home/x"]);
  expect((await list(files, root, { depth: 0 })).total).toBe(2);
});

test("credentials that are a root themselves are listed", async () => {
  const root = plant(freshDir(), { ".ssh/id": "" });
  const files = filesIn([root, `${root}/.ssh`], { homes: [root], deny: [".ssh"] });
  expect(pathsIn(await list(files, root))).toEqual([".ssh/", ".ssh/id"]);
});

test("what the kernel makes up is an entry below the root / and is not entered", async () => {
  const { folders } = await list(filesIn("/"), "/", { depth: 1 });
  const top = folders[0]?.entries.filter(({ name }) => ["proc", "sys", "dev"].includes(name));
  expect(top?.map(({ name, type, problem, contents }) => [name, type, problem, contents])).toEqual(
    ["dev", "proc", "sys"].map((name) => [name, "dir", "always closed", undefined]),
  );
  expect(folders.some(({ path }) => /^\/(proc|sys|dev)/.test(path))).toBe(false);
});

test("what the kernel makes up is known by its path as well, where no mount table tells of it", async () => {
  const empty = plant(freshDir(), { table: "" });
  const files = filesIn("/", { mountinfo: `${empty}/table` });
  const { folders } = await list(files, "/", { depth: 1 });
  const { folders: passed } = await list(files, "/", { depth: 1, glob: "no-such-name-anywhere" });
  for (const each of [folders, passed])
    expect(each.map(({ path }) => path)).not.toEqual(expect.arrayContaining(["/proc"]));
  expect(folders[0]?.entries.find(({ name }) => name === "proc")?.problem).toBe("always closed");
});

test("what the kernel makes up stays closed wherever it is mounted, also for a glob that passes by", async ({
  skip,
}) => {
  const root = plant(freshDir(), { "box/made-up": null });
  const path = `${root}/box/made-up`;
  try {
    execFileSync("mount", ["-t", "proc", "proc", path], { stdio: "ignore" });
  } catch {
    skip("mounts need rights that this user does not have");
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", path]));
  const files = filesIn(root);
  expect(pathsIn(await list(files, root))).toEqual(["box/", "box/made-up/ (always closed)"]);
  expect(pathsIn(await list(files, root, { glob: "meminfo" }))).toEqual([]);
});

test("a glob that passes by what is closed does not mention it", async () => {
  const { folders } = await list(filesIn("/"), "/", { depth: 1, glob: "no-such-name-anywhere" });
  expect(folders[0]?.entries.filter(({ problem }) => problem === "always closed")).toEqual([]);
});

test("a folder that cannot be read is an entry with its reason", async ({ skip }) => {
  if (process.getuid?.() === 0) skip("nothing is shut to root");
  const root = plant(freshDir(), { "shut/f": "", "open/f": "" });
  chmodSync(`${root}/shut`, 0);
  const files = filesIn(root);
  expect(pathsIn(await list(files, root))).toEqual(["open/", "shut/ (permission denied)", "open/f"]);
  expect(pathsIn(await list(files, root, { glob: "f" }))).toEqual(["shut/ (permission denied)", "open/f"]);
  expect(await failure(list(files, "shut"))).toMatchObject({ code: "PERMISSION_DENIED" });
  chmodSync(`${root}/shut`, 0o700);
});
