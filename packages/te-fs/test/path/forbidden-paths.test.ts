import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { codeOf, failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn, text } from "../files.js";

/** Mounts need rights; without them the test says so and is skipped. */
function mount(args: readonly string[], to: string, skip: (note: string) => never): void {
  try {
    execFileSync("mount", [...args, to], { stdio: "ignore" });
  } catch {
    skip("mounts need rights that this user does not have");
  }
  onTestFinished(() => void execFileSync("umount", [to]));
}

const bind = (from: string, to: string, skip: (note: string) => never): void => mount(["--bind", from], to, skip);

test.for(["/proc/self/environ", "/proc/1/cmdline", "/sys/kernel/uevent_seqnum", "/dev/zero", "/dev", "/proc"])(
  "%s is closed even below a root of /",
  async (path) => {
    const { code, message } = await failure(filesIn("/").open(path));
    const top = `/${path.split("/")[1]}`;
    expect({ code, message }).toEqual({
      code: "INVALID_PATH",
      message: `${path} lies in ${top}, which is always closed`,
    });
  },
);

test("below a root of / everything else is open, and links that lead to /proc are not", async () => {
  const dir = plant(freshDir(), {
    f: "open",
    link: { to: "/proc/self/environ" },
    fd: { to: "/proc/self/fd" },
    dir: { to: "/dev" },
  });
  const files = filesIn("/");
  expect([files.roots, await text(files, `${dir}/f`), await text(files, `${dir.slice(1)}/f`)]).toEqual([
    [{ path: "/", real: "/" }],
    "open",
    "open",
  ]);
  for (const path of ["link", "fd/0", "dir/zero"]) {
    expect((await failure(files.open(`${dir}/${path}`))).message).toContain("always closed");
  }
});

test("a root in /proc, /sys or /dev is skipped with a warning", () => {
  const dir = freshDir();
  const files = filesIn(["/dev/shm", dir, "/proc/self"]);
  expect([files.roots.map(({ path }) => path), files.skipped.map(({ path }) => path)]).toEqual([
    [dir],
    ["/dev/shm", "/proc/self"],
  ]);
});

test("procfs that is mounted inside a root is closed there too", async ({ skip }) => {
  const root = plant(freshDir(), { proc: null });
  mount(["-t", "proc", "proc"], `${root}/proc`, skip);
  expect((await failure(filesIn(root).open("proc/self/environ"))).message).toBe(
    `${root}/proc/self/environ lies in a file system of the kernel (proc), which is always closed`,
  );
});

test("a root that does not exist, is a file or leads nowhere is skipped with a warning, each other one is used", () => {
  const base = plant(freshDir(), { file: "x", good: null, dangling: { to: "nowhere" } });
  const files = filesIn(["missing", "file", "good", "dangling", "good"].map((name) => `${base}/${name}`));
  expect([files.roots, files.skipped]).toEqual([
    [{ path: `${base}/good`, real: `${base}/good` }],
    [
      { path: `${base}/missing`, why: "no such folder" },
      { path: `${base}/file`, why: "not a folder" },
      { path: `${base}/dangling`, why: "no such folder" },
    ],
  ]);
});

test("a root is an absolute path, or one below ~", () => {
  const home = plant(freshDir(), { work: null });
  expect(filesIn("~/work", { home }).roots).toEqual([{ path: `${home}/work`, real: `${home}/work` }]);
  expect(() => filesIn("work")).toThrow("not an absolute path: work");
});

test("a root given through a link is reachable by both spellings, and results use the caller's", async () => {
  const base = plant(freshDir(), { "real/sub/f": "x", link: { to: "real" }, "real/abs": { to: "sub/f" } });
  plant(base, { "real/back": { to: `${base}/link/sub/f` } });
  const files = filesIn(`${base}/link`);
  expect(files.roots).toEqual([{ path: `${base}/link`, real: `${base}/real` }]);
  for (const path of [`${base}/link/sub/f`, `${base}/real/sub/f`, `${base}/link/abs`, `${base}/link/back`]) {
    await using file = await files.open(path);
    expect([file.path, file.real]).toEqual([path, `${base}/real/sub/f`]);
  }
});

test("our own state is closed: by its path, below it, through links, by its real path and by a hard link", async () => {
  const base = plant(freshDir(), {
    "root/state/db": "SECRET",
    "root/f": "x",
    "root/token": "SECRET",
    "data/deep/blob": "SECRET",
  });
  plant(base, {
    "root/a": { to: "state" },
    "root/b": { to: "state/db" },
    "data/other": "SECRET",
    spelled: { to: "data" },
  });
  linkSync(`${base}/root/state/db`, `${base}/root/hard`);
  linkSync(`${base}/data/deep/blob`, `${base}/root/hard2`);
  linkSync(`${base}/root/token`, `${base}/root/hard3`);
  linkSync(`${base}/root/f`, `${base}/root/innocent`);
  const privatePaths = [`${base}/root/state`, `${base}/root/token`, `${base}/spelled/deep`];
  const files = filesIn([`${base}/root`, `${base}/data`], { privatePaths });
  const closed = [
    "state",
    "state/db",
    "state/new",
    "a/db",
    "b",
    "hard",
    "hard2",
    "hard3",
    "token",
    `${base}/data/deep/blob`,
  ];
  for (const path of closed) {
    expect(await failure(files.open(path))).toMatchObject({
      code: "INVALID_PATH",
      message: expect.stringContaining("belongs to this server itself"),
    });
  }
  expect([await text(files, "innocent"), await text(files, `${base}/data/other`)]).toEqual(["x", "SECRET"]);
});

test("our own state is closed where it is made, moved or put back while the server runs", async () => {
  const root = freshDir();
  const files = filesIn(root, { privatePaths: [`${root}/state`] });
  expect(await codeOf(files.open("state/db"))).toBe("INVALID_PATH");
  plant(root, { "state/db": "SECRET", "other/f": "x" });
  expect(await codeOf(files.open("state/db"))).toBe("INVALID_PATH");
  rmSync(`${root}/state`, { recursive: true });
  symlinkSync("other", `${root}/state`);
  expect(await codeOf(files.open("state/f"))).toBe("INVALID_PATH");
});

test("a root inside our own state is skipped; a root around it is not", () => {
  const base = plant(freshDir(), { "state/sub": null });
  const files = filesIn([`${base}/state/sub`, `${base}/state`, base], { privatePaths: [`${base}/state`] });
  expect([files.roots.map(({ path }) => path), files.skipped.length]).toEqual([[base], 2]);
});

test("our own state is closed where a bind mount shows it, or a part of it", async ({ skip }) => {
  const base = plant(freshDir(), { "state/sub/db": "SECRET", "root/whole": null, "root/part": null, "root/file": "" });
  bind(`${base}/state`, `${base}/root/whole`, skip);
  bind(`${base}/state/sub`, `${base}/root/part`, skip);
  bind(`${base}/state/sub/db`, `${base}/root/file`, skip);
  const files = filesIn(`${base}/root`, { privatePaths: [`${base}/state`] });
  for (const path of ["whole/sub/db", "part/db", "file"]) expect(await codeOf(files.open(path))).toBe("INVALID_PATH");
});

test("a folder of ours that is bound in elsewhere is known by what it is, without the mount table", async ({
  skip,
}) => {
  const base = plant(freshDir(), { "state/db": "SECRET", "root/whole": null, mountinfo: "" });
  bind(`${base}/state`, `${base}/root/whole`, skip);
  const files = filesIn(`${base}/root`, { privatePaths: [`${base}/state`], mountinfo: `${base}/mountinfo` });
  expect((await failure(files.open("whole/db"))).message).toContain("belongs to this server itself");
});

const deny = [".ssh", ".config/gh", ".netrc"];

test("credentials at the top of a home are closed, and the remedy names the entry", async () => {
  const home = plant(freshDir(), {
    ".ssh/id": "SECRET",
    ".config/gh/hosts": "SECRET",
    ".config/x": "open",
    "a/.ssh/id": "open",
  });
  const files = filesIn(home, { home, deny });
  for (const path of [".ssh/id", "~/.ssh", ".config/gh/hosts", ".netrc", ".ssh/new"]) {
    expect(await failure(files.open(path))).toMatchObject({
      code: "INVALID_PATH",
      message: expect.stringContaining("holds credentials"),
      remedy: { id: "open-credentials", entry: expect.any(String) },
    });
  }
  expect([await text(files, ".config/x"), await text(files, "a/.ssh/id")]).toEqual(["open", "open"]);
});

test("credentials are closed in other homes, through links to them and where they themselves are links", async () => {
  const base = plant(freshDir(), {
    "home/ann/.ssh/id": "SECRET",
    "home/ann/dotfiles/netrc": "SECRET",
    "home/ann/.netrc": { to: "dotfiles/netrc" },
    "home/ann/link": { to: ".ssh/id" },
    "work/link": { to: "../home/ann/.ssh" },
    moved: { to: "home" },
  });
  const files = filesIn(base, { home: `${base}/work`, homes: [`${base}/moved/ann`, `${base}/none`], deny });
  for (const path of [
    "home/ann/.ssh/id",
    "moved/ann/.ssh/id",
    "home/ann/link",
    "work/link/id",
    "home/ann/.netrc",
    "home/ann/dotfiles/netrc",
  ]) {
    expect((await failure(files.open(path))).message).toContain("holds credentials");
  }
});

test("a root that is or lies in such a folder opens it, also for paths that come by another root", async () => {
  const home = plant(freshDir(), {
    ".ssh/id": "mine",
    ".ssh/keys/k": "mine",
    ".netrc": "SECRET",
    link: { to: ".ssh/id" },
  });
  const both = filesIn([home, `${home}/.ssh`], { home, deny });
  expect([await text(both, ".ssh/id"), await text(both, "link"), await codeOf(both.open(".netrc"))]).toEqual([
    "mine",
    "mine",
    "INVALID_PATH",
  ]);
  const inside = filesIn([home, `${home}/.ssh/keys`], { home, deny });
  expect([await text(inside, ".ssh/keys/k"), await codeOf(inside.open(".ssh/id"))]).toEqual(["mine", "INVALID_PATH"]);
});

test("the homes are those of /etc/passwd unless others are given", async () => {
  const home = /^root:(?:[^:]*:){4}([^:]*)/m.exec(readFileSync("/etc/passwd", "utf8"))?.[1] ?? "";
  const { openFiles } = await import("../../src/index.js");
  const files = openFiles({ roots: ["/"], home: "/nonexistent-home", deny: [".no-such-credentials"] });
  onTestFinished(() => files.close());
  expect((await failure(files.open(`${home}/.no-such-credentials`))).message).toContain("holds credentials");
});

test("a passwd file gives its absolute homes, and none is no failure", async () => {
  const { passwdHomes } = await import("../../../te-path/src/scope/homes.js");
  const dir = plant(freshDir(), {
    passwd: "root:x:0:0:root:/root:/bin/sh\n#\nnobody:x:1:1::rel:/x\nann:x:2:2::/home/ann:\n",
  });
  expect([passwdHomes(`${dir}/passwd`), passwdHomes(`${dir}/none`)]).toEqual([["/root", "/home/ann"], []]);
});

test("what the kernel forbids is PERMISSION_DENIED", async ({ skip }) => {
  const root = plant(freshDir(), { shut: "x", "folder/f": "x" });
  execFileSync("chmod", ["000", `${root}/shut`, `${root}/folder`]);
  execFileSync("chmod", ["755", root]);
  const files = filesIn(root);
  if (process.getuid?.() === 0) {
    if (process.seteuid === undefined) return skip("this process cannot become another user");
    process.seteuid(65534);
    onTestFinished(() => process.seteuid?.(0));
  }
  const codes = [await codeOf(files.open("shut")), await codeOf(files.open("folder/f"))];
  if (process.getuid?.() === 0) process.seteuid?.(0);
  execFileSync("chmod", ["755", `${root}/shut`, `${root}/folder`]);
  expect(codes).toEqual(["PERMISSION_DENIED", "PERMISSION_DENIED"]);
});

test("a folder of ours that was renamed away from its path is known by what it is", async () => {
  const root = plant(freshDir(), { "state/db": "SECRET" });
  const files = filesIn(root, { privatePaths: [`${root}/state`] });
  // Its identity is looked up at most once a second: this read takes it.
  writeFileSync(`${root}/f`, "x");
  expect(await text(files, "f")).toBe("x");
  renameSync(`${root}/state`, `${root}/elsewhere`);
  mkdirSync(`${root}/state`);
  expect(await codeOf(files.open("elsewhere/db"))).toBe("INVALID_PATH");
});
