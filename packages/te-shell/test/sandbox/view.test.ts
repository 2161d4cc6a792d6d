import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { viewOf, type ViewRoot, type ViewSources } from "../../src/sandbox/view.js";

function view(roots: readonly ViewRoot[], more: Partial<ViewSources> = {}) {
  const own = realpathSync(mkdtempSync(join(tmpdir(), "view-")));
  onTestFinished(() => rmSync(own, { recursive: true, force: true }));
  for (const name of ["home", "tmp", "tools"]) mkdirSync(join(own, name));
  return viewOf({
    cwd: roots[0]?.real ?? "/",
    roots,
    home: "/home/me",
    sessionHome: join(own, "home"),
    sessionTmp: join(own, "tmp"),
    tools: join(own, "tools"),
    toolchains: [],
    read: [],
    write: [],
    hidden: [],
    guarded: roots.map(({ real }) => `${real}/.git/config`),
    pinned: [],
    empty: own,
    shut: own,
    resolver: undefined,
    hostPaths: [],
    ...more,
  });
}

const root = (real: string, write = true): ViewRoot => ({ path: real, real, write });

test("guarded is what lies in roots that the command may write to", () => {
  expect(view([root("/srv/mine"), root("/srv/theirs", false)]).guarded).toEqual(["/srv/mine/.git/config"]);
});

test("what a command does not see for the sandbox's sake is told apart from what is its own", () => {
  const { hides } = view([root("/srv/mine")]);
  const hidden = ["/srv/mine", "/srv/mine/x", "/usr/x", "/etc/x", "/tmp/x", "/proc/1", "/dev/x", "/home/me/.cache/x"];
  expect(hidden.filter((path) => hides(path))).toEqual([]);
  const seen = ["/srv", "/srv/other", "/srv/mine2", "/home/me", "/home/me/src", "/home/other/.ssh", "/data", "/"];
  expect(seen.filter((path) => !hides(path))).toEqual([]);
});

test("stand-ins are there where the command's /tmp is the session's", () => {
  expect(view([root("/srv/mine")]).toolsTmp).toMatch(/\/tmp$/);
  expect(view([root("/srv/mine")], { tools: undefined }).toolsTmp).toBeUndefined();
  for (const real of ["/", "/tmp"]) {
    const { toolsTmp, mounts } = view([root(real)]);
    expect([toolsTmp, mounts.some(({ at }) => at.startsWith("/.llmc"))]).toEqual([undefined, false]);
  }
});
