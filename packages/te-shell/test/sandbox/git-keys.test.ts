import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changesOf, type GitSetting } from "../../src/sandbox/git-keys.js";

const CURRENT: GitSetting[] = [
  ["core.bare", "false"],
  ["remote.origin.url", "https://example.org/a.git"],
  ["remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"],
];

const taken = (...wanted: GitSetting[]) => changesOf(CURRENT, [...CURRENT, ...wanted]).harmless.map(({ key }) => key);

test("what is as it was is no change", () => {
  expect(changesOf(CURRENT, CURRENT)).toEqual({ harmless: [], refused: [] });
});

describe("is taken over:", () => {
  test.each<GitSetting[]>([
    [["user.name", "Ann Other"]],
    [["user.email", "ann@example.org"]],
    [["core.autocrlf", "input"]],
    [["pull.rebase", "true"]],
    [["branch.main.remote", "origin"]],
    [["branch.feature/x.merge", "refs/heads/feature/x"]],
    [["branch.main.rebase", "true"]],
    [["branch.main.remote", "."]],
  ])("%j", (...wanted) => {
    expect(taken(...wanted)).toEqual(wanted.map(([key]) => key));
  });

  test.each([
    "https://example.org/x.git",
    "http://user@example.org:8080/x",
    "ssh://git@example.org:22/~x/y.git",
    "git://example.org/x",
    "git@example.org:team/x.git",
    "host:x.git",
    "ssh://[::1]/x",
  ])("a new remote at %s, with its branches and a branch that follows it", (url) => {
    const wanted: GitSetting[] = [
      ["branch.main.remote", "up"],
      ["remote.up.fetch", "+refs/heads/*:refs/remotes/up/*"],
      ["remote.up.url", url],
    ];
    expect(taken(...wanted)).toEqual(["remote.up.url", "remote.up.fetch", "branch.main.remote"]);
  });
});

describe("is not taken over:", () => {
  test.each<GitSetting>([
    ["core.fsmonitor", "./evil"],
    ["core.hookspath", "/tmp/x"],
    ["core.sshcommand", "sh -c x"],
    ["core.pager", "sh"],
    ["core.editor", "sh"],
    ["core.worktree", "/etc"],
    ["core.gitproxy", "x"],
    ["alias.st", "!sh"],
    ["include.path", "/tmp/x"],
    ["includeif.gitdir:/.path", "/tmp/x"],
    ["filter.x.clean", "sh"],
    ["diff.external", "sh"],
    ["diff.x.textconv", "sh"],
    ["merge.x.driver", "sh"],
    ["credential.helper", "!sh"],
    ["gpg.program", "sh"],
    ["uploadpack.packobjectshook", "sh"],
    ["receive.procreceiverefs", "x"],
    ["protocol.ext.allow", "always"],
    ["url.ext::sh.insteadof", "https://"],
    ["remote.up.uploadpack", "sh"],
    ["remote.up.receivepack", "sh"],
    ["remote.up.vcs", "ext"],
    ["remote.up.proxy", "x"],
    ["remote.up.pushurl", "ext::sh -c x"],
    ["remote.up.mirror", "true"],
    ["remote.origin.url", "https://evil.example/x"],
    ["remote.origin.fetch", "+refs/heads/*:refs/heads/*"],
    ["remote.pushdefault", "./evil"],
    ["submodule.x.update", "!sh"],
    ["branch.main.remote", "./evil"],
    ["branch.main.remote", "ext::sh -c x"],
    ["branch.main.remote", "other"],
    ["branch.main.merge", "refs/remotes/x"],
    ["branch.main.merge", "refs/heads/../x"],
    ["branch.main.pushremote", "/tmp/x"],
    ["branch.a\nb.remote", "origin"],
    ["user.name", "a\nb"],
    ["user.name", "-x"],
    ["user.name", ""],
    ["user.email", "x".repeat(300)],
    ["user.name.x", "y"],
    ["core.autocrlf", "yes"],
    ["__proto__", "x"],
    ["constructor", "x"],
  ])("%s = %s", (key, value) => {
    expect(changesOf(CURRENT, [...CURRENT, [key, value]])).toEqual({ harmless: [], refused: [key] });
  });

  test.each([
    "ext::sh -c x",
    "fd::17",
    "/root/evil.git",
    "../evil.git",
    "./x",
    "x",
    "file:///root/evil.git",
    "ssh://-oProxyCommand=x/y",
    "-oProxyCommand=x:y",
    "host:-x",
    "host::y",
    "a@-x:y",
    "ftp://x/y",
    "https://x/y\nevil",
    "https://",
    "host:\\\\x",
    "testgit::https://x/y",
    `https://x/${"y".repeat(600)}`,
  ])("a remote at %j", (url) => {
    expect(taken(["remote.up.url", url], ["branch.main.remote", "up"])).toEqual([]);
  });

  test.each(["+refs/heads/*:refs/heads/*", "refs/heads/*", "+refs/*:refs/remotes/up/*", "^refs/heads/x", "a:b:c"])(
    "branches of a new remote as %s",
    (refspec) => {
      expect(taken(["remote.up.url", "https://x.example/y"], ["remote.up.fetch", refspec])).toEqual(["remote.up.url"]);
    },
  );

  test("a second value of what may have one", () => {
    expect(taken(["user.name", "a"], ["user.name", "b"])).toEqual([]);
    const [one, other] = ["https://x.example/y", "ext::sh"].map((url): GitSetting => ["remote.up.url", url]);
    expect(taken(one as GitSetting, other as GitSetting)).toEqual([]);
  });

  test("a removal", () => {
    expect(changesOf(CURRENT, [["core.bare", "false"]])).toEqual({
      harmless: [],
      refused: ["remote.origin.url (removed)", "remote.origin.fetch (removed)"],
    });
  });
});

test("whatever is asked for, no key of a program and no unknown remote is taken over", () => {
  const part = fc.constantFrom(
    "remote",
    "branch",
    "user",
    "core",
    "up",
    "origin",
    "url",
    "name",
    "remote",
    "vcs",
    ".",
    "a b",
    "\n",
  );
  const key = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("."));
  const value = fc.oneof(fc.string(), fc.constantFrom("ext::x", "up", "https://x.example/y", "refs/heads/x", "true"));
  fc.assert(
    fc.property(fc.array(fc.tuple(key, value), { maxLength: 12 }), (wanted) => {
      const { harmless } = changesOf(CURRENT, [...CURRENT, ...wanted]);
      const urls = new Set([
        "origin",
        ...harmless.flatMap(({ key: each }) => /^remote\.(.*)\.url$/.exec(each)?.[1] ?? []),
      ]);
      for (const { key: each, values } of harmless) {
        expect(each).toMatch(
          /^(user\.(name|email)|remote\.[^\n]+\.(url|fetch)|branch\.[^\n]+\.(remote|merge|rebase)|(init|core|fetch|pull|push)\.[a-z]+)$/,
        );
        if (/^branch\..*\.remote$/.test(each)) expect(urls.has(values[0] ?? "") || values[0] === ".").toBe(true);
        const isUrl = each.endsWith(".url");
        for (const one of values) expect(one).not.toMatch(isUrl ? /::|[\n\0]|^-|^[./]/ : /[\n\0]|^-/);
      }
    }),
    { numRuns: 2000 },
  );
});
