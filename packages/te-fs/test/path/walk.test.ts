import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { codeOf, failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn, text } from "../files.js";

test("an absolute path inside a root is read, and shown as the caller spelled it", async () => {
  const root = plant(freshDir(), { "a/b.txt": "hello\n" });
  await using file = await filesIn(root).open(`${root}/a//./x/../b.txt`);
  expect({ path: file.path, real: file.real, size: file.size }).toEqual({
    path: `${root}/a/b.txt`,
    real: `${root}/a/b.txt`,
    size: 6,
  });
});

test("a relative path is taken from the first root, or from cwd", async () => {
  const [one, two] = [plant(freshDir(), { f: "one", "sub/f": "one/sub" }), plant(freshDir(), { f: "two" })];
  const files = filesIn([one, two]);
  const read = async (path: string, cwd?: string) => {
    await using file = await files.open(path, cwd === undefined ? {} : { cwd });
    return file.path;
  };
  expect([await read("f"), await read("f", two), await read("f", "sub"), await read("../f", `${one}/sub`)]).toEqual([
    `${one}/f`,
    `${two}/f`,
    `${one}/sub/f`,
    `${one}/f`,
  ]);
});

test("~ is the home that was given", async () => {
  const home = plant(freshDir(), { f: "mine", "~": "a file of that name", "~x": "another" });
  const files = filesIn(home, { home });
  expect([await text(files, "~/f"), await text(files, "./~"), await text(files, "~x")]).toEqual([
    "mine",
    "a file of that name",
    "another",
  ]);
  expect(await codeOf(files.open("~"))).toBe("IS_DIRECTORY");
});

test.for([
  ["an absolute path elsewhere", (root: string) => `${root}/../elsewhere`],
  ["a path that climbs out", () => "../../etc/passwd"],
  ["a sibling whose name starts like the root", (root: string) => `${root}2/f`],
  ["a path that exists outside", () => "/etc/passwd"],
  ["a path that does not exist outside", () => "/etc/no-such-file"],
  ["a cwd elsewhere", () => "/etc/../etc/x"],
] as const)("outside the roots, with one text whether it exists or not: %s", async ([, pathOf], { expect }) => {
  const root = freshDir();
  const { code, message } = await failure(filesIn(root).open(pathOf(root)));
  expect({ code, outside: message.endsWith(" is outside the allowed roots") }).toEqual({
    code: "INVALID_PATH",
    outside: true,
  });
});

test("without roots every path is refused, and the hint says how to add one", async () => {
  const { code, remedy } = await failure(filesIn([]).open("/etc/passwd"));
  expect([code, remedy]).toEqual(["INVALID_PATH", { id: "configure-roots" }]);
});

test.for([
  ["a NUL", "a\0b", "contains a NUL character"],
  ["half a character", "a\ud800b", "contains half a character"],
  ["nothing", "", "is empty"],
  ["a name of 256 bytes", "x".repeat(256), "has a name longer than 255 bytes"],
] as const)("refuses %s", async ([, path, problem]) => {
  const { code, message } = await failure(filesIn(freshDir()).open(path));
  expect([code, message.includes(problem)]).toEqual(["INVALID_PATH", true]);
});

test("names of 255 bytes, with newlines, quotes and spaces are names like others", async () => {
  const names = ["x".repeat(255), "ü".repeat(127), "a\nb", " lead", "tail ", "'q\"", "-rf", "…"];
  const root = plant(freshDir(), Object.fromEntries(names.map((name) => [name, name])));
  const files = filesIn(root);
  expect(await Promise.all(names.map((name) => text(files, name)))).toEqual(names);
});

test("a path longer than PATH_MAX is walked like any other", async () => {
  const root = freshDir();
  const name = "d".repeat(200);
  const here = process.cwd();
  // The kernel takes no path of that length at once, so it is made step by step.
  onTestFinished(() => process.chdir(here));
  process.chdir(root);
  for (let depth = 0; depth < 30; depth++) {
    mkdirSync(name);
    process.chdir(name);
  }
  writeFileSync("f", "deep");
  process.chdir(here);
  const path = `${root}/${`${name}/`.repeat(30)}f`;
  expect(path.length).toBeGreaterThan(6000);
  expect(await text(filesIn(root), path)).toBe("deep");
});

test("case and normal forms are not folded", async () => {
  const root = plant(freshDir(), { Data: "upper", "\u00e9": "composed" });
  const files = filesIn(root);
  expect([await codeOf(files.open("data")), await codeOf(files.open("e\u0301")), await text(files, "\u00e9")]).toEqual([
    "NOT_FOUND",
    "NOT_FOUND",
    "composed",
  ]);
});

test("a name is read as names are shown, and to the letter where nothing is shown like that", async () => {
  const root = freshDir();
  const raw = (name: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, "latin1")]);
  mkdirSync(raw("d\xe9"));
  writeFileSync(raw("d\xe9/f\xff"), "bytes");
  writeFileSync(raw("both\xff"), "byte name");
  writeFileSync(`${root}/both\\xff`, "literal name");
  writeFileSync(`${root}/alone\\xff`, "to the letter");
  mkdirSync(`${root}/C:\\xe9\\xampp`);
  writeFileSync(raw("C:\\xe9\\xampp/\xff"), "below");
  symlinkSync(Buffer.from("d\xe9/f\xff", "latin1"), `${root}/link`);
  const files = filesIn(root);
  expect([
    await text(files, "d\\xe9/f\\xFF"),
    await text(files, "both\\xff"),
    await text(files, "both\\x5cxff"),
    await text(files, "alone\\xff"),
    await text(files, "C:\\xe9\\xampp/\\xff"),
    await text(files, "C:\\x5cxe9\\xampp/\\xff"),
    await codeOf(files.open("no\\xff")),
  ]).toEqual(["bytes", "byte name", "literal name", "to the letter", "below", "below", "NOT_FOUND"]);
  await using file = await files.open("link");
  expect([file.path, file.real]).toEqual([`${root}/link`, `${root}/d\\xe9/f\\xff`]);
});

test("an escaped slash, dot or NUL stays text", async () => {
  const root = plant(freshDir(), { "in/f": "inside" });
  const files = filesIn(`${root}/in`);
  const paths = ["\\x2e\\x2e/f", "x\\x2ff", "\\x2e\\x2e\\x2ff", "f\\x00"];
  expect(await Promise.all(paths.map((path) => codeOf(files.open(path))))).toEqual(paths.map(() => "NOT_FOUND"));
});

test("links are followed as long as they stay inside the roots", async () => {
  const base = plant(freshDir(), {
    "one/f": "one",
    "one/rel": { to: "sub/../f" },
    "one/sub/up": { to: "../f" },
    "one/dir": { to: "sub" },
    "one/chain": { to: "dir/up" },
    "two/f": "two",
    "one/other": { to: "../two/f" },
    "one/folder": { to: "../two" },
  });
  const files = filesIn([`${base}/one`, `${base}/two`]);
  plant(base, { "one/absolute": { to: `${base}/two/f` } });
  const paths = ["rel", "sub/up", "dir/up", "chain", "other", "folder/f", "absolute"];
  expect(await Promise.all(paths.map((path) => text(files, path)))).toEqual([
    "one",
    "one",
    "one",
    "one",
    "two",
    "two",
    "two",
  ]);
});

test.for([
  ["file", "out", "out"],
  ["folder", "outdir", "outdir/secret"],
  ["chain", "hop", "hop"],
  ["link to what does not exist", "gone", "gone"],
  ["link that climbs", "climb", "climb"],
] as const)("a link out of the roots is refused, and where it leads is not told: %s", async ([, , path]) => {
  const base = plant(freshDir(), { "outside/secret": "SECRET", "in/f": "inside" });
  plant(base, {
    "in/out": { to: `${base}/outside/secret` },
    "in/outdir": { to: "../outside" },
    "in/hop": { to: "out" },
    "in/gone": { to: `${base}/outside/nothing` },
    "in/climb": { to: "../../../../../../../../etc/passwd" },
  });
  const { code, message } = await failure(filesIn(`${base}/in`).open(path));
  expect({ code, message }).toEqual({
    code: "INVALID_PATH",
    message: `${base}/in/${path} is or passes a link that leads outside the allowed roots`,
  });
});

test("twenty links are followed, the twenty-first is refused, and so is a circle", async () => {
  const links = Object.fromEntries(
    Array.from({ length: 21 }, (_, n) => [`l${n + 1}`, { to: n === 0 ? "f" : `l${n}` }]),
  );
  const files = filesIn(plant(freshDir(), { f: "end", ...links, round: { to: "round" } }));
  expect(await text(files, "l20")).toBe("end");
  for (const path of ["l21", "round"]) {
    expect(await failure(files.open(path))).toMatchObject({
      code: "INVALID_PATH",
      message: expect.stringContaining("more than 20 links"),
    });
  }
});

test("what is missing is NOT_FOUND, a file used as a folder NOT_A_DIRECTORY, a folder used as a file IS_DIRECTORY", async () => {
  const root = plant(freshDir(), { "d/f": "x", dangling: { to: "nothing" }, tolink: { to: "d/f/" } });
  const files = filesIn(root);
  const found = await Promise.all(
    ["nothing", "no/thing", "d/f/x", "d/f/", "d", ".", "dangling", "d/f/x/y", "tolink"].map((path) =>
      failure(files.open(path)),
    ),
  );
  expect(found.map(({ code, message }) => `${code} ${message.replace(root, "")}`)).toEqual([
    "NOT_FOUND /nothing does not exist",
    "NOT_FOUND /no/thing does not exist",
    "NOT_A_DIRECTORY /d/f is a file, not a folder",
    "NOT_A_DIRECTORY /d/f is a file, not a folder",
    "IS_DIRECTORY /d is a folder",
    "IS_DIRECTORY  is a folder",
    "NOT_FOUND /dangling does not exist",
    "NOT_A_DIRECTORY /d/f is a file, not a folder",
    "NOT_A_DIRECTORY /tolink is a file, not a folder",
  ]);
});

test("a FIFO is refused at once, without being opened", async () => {
  const root = freshDir();
  execFileSync("mkfifo", [join(root, "pipe")]);
  symlinkSync("pipe", join(root, "link"));
  const files = filesIn(root);
  for (const path of ["pipe", "link"]) {
    expect(await failure(files.open(path))).toMatchObject({
      code: "INVALID_PATH",
      message: `${root}/${path} is a FIFO, not a file`,
    });
  }
});

test("a socket is refused", async () => {
  const root = freshDir();
  const server = createServer().listen(join(root, "sock"));
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  expect((await failure(filesIn(root).open("sock"))).message).toBe(`${root}/sock is a socket, not a file`);
});

test("a device is refused", async ({ skip }) => {
  const root = freshDir();
  try {
    execFileSync("mknod", [join(root, "zero"), "c", "1", "5"], { stdio: "ignore" });
  } catch {
    skip("mknod needs rights that this user does not have");
  }
  expect((await failure(filesIn(root).open("zero"))).message).toBe(`${root}/zero is a character device, not a file`);
});

test("exists follows the same walk", async () => {
  const base = plant(freshDir(), { "in/f": "x", "in/dangling": { to: "no" }, "in/out": { to: "/etc/passwd" } });
  const files = filesIn(`${base}/in`);
  expect(await Promise.all(["f", ".", "no", "f/x", "dangling"].map((path) => files.exists(path)))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect([await codeOf(files.exists("out")), await codeOf(files.exists("/etc/passwd"))]).toEqual([
    "INVALID_PATH",
    "INVALID_PATH",
  ]);
});

test("the file that was opened is the file that is read, whatever its name means by then", async () => {
  const root = plant(freshDir(), { f: "first", g: "second" });
  await using file = await filesIn(root).open("f");
  renameSync(`${root}/g`, `${root}/f`);
  const { readBytes } = await import("../../src/index.js");
  expect(String(await readBytes(file, { offset: 0, length: 100 }))).toBe("first");
});

test("a hard link to a file elsewhere is a file like others", async () => {
  const base = plant(freshDir(), { "out/f": "shared", in: null });
  linkSync(`${base}/out/f`, `${base}/in/f`);
  expect(await text(filesIn(`${base}/in`), "f")).toBe("shared");
});

test("a root that is replaced, removed and made again is followed by its name, never through a link", async () => {
  const base = plant(freshDir(), { "root/f": "old", "outside/f": "OUTSIDE" });
  const [root, files] = [`${base}/root`, filesIn(`${base}/root`)];
  expect(await text(files, "f")).toBe("old");
  renameSync(root, `${base}/moved`);
  expect(await failure(files.open("f"))).toEqual({
    code: "NOT_FOUND",
    message: `${root} does not exist`,
    hint: "This root has gone since the server started.",
  });
  symlinkSync("outside", root);
  expect(await codeOf(files.open("f"))).toBe("NOT_A_DIRECTORY");
  rmSync(root);
  plant(base, { "root/f": "new" });
  expect(await text(files, "f")).toBe("new");
});
