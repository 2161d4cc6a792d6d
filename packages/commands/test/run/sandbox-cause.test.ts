import type { PlainOutput } from "@llmc/te-shell";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sandboxCause, type FailedCommand } from "../../src/run/sandbox-cause.js";

function output(text: string): PlainOutput {
  const bytes = Buffer.from(text);
  const lines = text.split("\n").length - 1;
  return { head: () => bytes, tail: () => Buffer.alloc(0), total: bytes.length, lines, lost: 0, isFullScreen: false };
}

const guarded = [".git/hooks", ".git/config", "sub/.git/config", ".envrc"].map((name) => ({
  path: `/work/repo/${name}`,
  identity: "1:1",
  changedMs: 0,
}));

function causeOf(stderr: string, more: Partial<FailedCommand> & { readonly out?: string } = {}) {
  const { out = "", ...given } = more;
  return sandboxCause({
    launch: {
      facts: { sandbox: "bubblewrap", network: true, held: "pid namespace", notes: [] },
      hides: (path) => path.startsWith("/srv") || path.startsWith("/home"),
    },
    stdout: output(out),
    stderr: output(stderr),
    exitCode: 1,
    command: "cat x",
    cwd: "/work/repo",
    boundary: { guarded, pinned: ["/work/repo/.git", "/work/repo/sub/.git"], isWhole: true },
    roots: ["/work"],
    ...given,
  });
}

test.each([
  ["cat: /srv/other/x: No such file or directory", "/srv/other/x"],
  ["ls: cannot access '/srv/other': No such file or directory", "/srv/other"],
  ["find: ‘/srv/other’: No such file or directory", "/srv/other"],
  ["bash: line 1: cd: /home/me/: No such file or directory", "/home/me"],
  ["FileNotFoundError: [Errno 2] No such file or directory: '/srv/a/../b.csv'", "/srv/b.csv"],
  [
    "Error: ENOENT: no such file or directory, open '/srv/x.json'\n    at Object.open (/usr/lib/node.js:1:1)",
    "/srv/x.json",
  ],
])("%s: the path that commands do not see", (stderr, path) => {
  expect(causeOf(stderr)).toEqual({ id: "not-visible", path, roots: ["/work"] });
});

test("a message without a path is about the path of the command", () => {
  const command = "tool --from /usr/share/x --to=/srv/y";
  expect(causeOf("tool: No such file or directory", { command })).toMatchObject({ path: "/srv/y" });
  expect(causeOf("cat: y: No such file or directory")).toBeUndefined();
  expect(causeOf("cat: /work/y: No such file or directory", { command })).toBeUndefined();
});

test("only a failure tells a cause: what a program prints to stdout and ends well is its output", () => {
  const out = "open /srv/x: No such file or directory";
  expect(causeOf("", { out, exitCode: 0 })).toBeUndefined();
  expect(causeOf("", { out })).toMatchObject({ path: "/srv/x" });
  expect(causeOf("warning about /srv/x")).toBeUndefined();
});

test.each([
  ["error: could not write config file .git/config: Device or resource busy", ".git/config"],
  ["error: could not write config file /work/repo/sub/.git/config: Device or resource busy", "sub/.git/config"],
  ["bash: line 1: .git/hooks/pre-commit: Read-only file system", ".git/hooks"],
  ["touch: cannot touch './.git/hooks/x': Read-only file system", ".git/hooks"],
  ["mv: cannot move '.git' to 'gone': Device or resource busy", ".git"],
  ["bash: /work/repo/.envrc: Read-only file system", ".envrc"],
])("%s: what is write-protected", (stderr, path) => {
  expect(causeOf(stderr)).toEqual({ id: "write-protected", path });
});

test("a folder further up is named as it is, and other read-only files are not ours", () => {
  const stderr = "error: could not write config file ../.git/config: Device or resource busy";
  expect(causeOf(stderr, { cwd: "/work/repo/src" })).toEqual({ id: "write-protected", path: "/work/repo/.git/config" });
  expect(causeOf("touch: cannot touch '/usr/x': Read-only file system")).toBeUndefined();
});

test("docker without its socket", () => {
  const stderr = "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?";
  expect(causeOf(stderr, { command: "docker ps" })).toEqual({ id: "no-docker-socket" });
  expect(causeOf(stderr, { command: "cat log" })).toBeUndefined();
});

test("without a sandbox there is no such cause", () => {
  const facts = { sandbox: "off", network: true, held: "watcher", notes: [] } as const;
  const launch = { facts, hides: () => true };
  expect(causeOf("cat: /srv/x: No such file or directory", { launch })).toBeUndefined();
});

test("any output is looked at in bounded time and gives a path that is hidden, or none", () => {
  const words = fc.constantFrom(
    "/srv/a",
    "/work/b",
    "No such file or directory",
    ": ",
    "'",
    "\n",
    "/",
    "//..",
    "\u0000",
    "é",
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 200 }), (parts) => {
      const cause = causeOf(parts.join(""));
      if (cause?.id === "not-visible") expect(cause.path).toMatch(/^\/(srv|home)/);
    }),
  );
  causeOf(`${"/".repeat(100_000)} No such file or directory`);
  causeOf("/a".repeat(100_000));
});
