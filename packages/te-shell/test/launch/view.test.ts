import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ClosedPaths } from "../../src/index.js";
import { freshMark, marked } from "../../../te-run/test/processes.js";
import { hasBubblewrap, hasNamespaces, place, type Place, type PlaceOptions } from "./boxes.js";

/** A place of which some is closed. */
function closing(options: PlaceOptions, closed: (root: string) => Partial<ClosedPaths>): Place {
  return place({ ...options, closed });
}

describe.each([
  ["bubblewrap", hasBubblewrap, {}],
  ["namespaces", hasNamespaces, { boxKind: "namespaces" }],
] as const)("in %s", (_, isThere, options) => {
  describe.skipIf(!isThere)("what a command sees", () => {
    test("a folder that stays shut is empty, a file cannot be opened, and neither can be replaced", async () => {
      const here = closing(options, (root) => ({
        hidden: [
          { path: join(root, "state"), kind: "folder" },
          { path: join(root, "config.toml"), kind: "file" },
        ],
      }));
      mkdirSync(join(here.root, "state"));
      writeFileSync(join(here.root, "state/secret"), "canary");
      writeFileSync(join(here.root, "config.toml"), "canary");

      const { printed } = await here.run(
        "ls -A state; cat config.toml state/secret; echo x > config.toml; echo x > state/x; rm -rf state config.toml; mv state other",
      );
      expect(printed).not.toContain("canary");
      expect(printed).toMatch(/config.toml: Permission denied/);
      expect(readdirSync(here.root).toSorted()).toEqual(["config.toml", "state"]);
      expect(readdirSync(join(here.root, "state"))).toEqual(["secret"]);
    });

    test("a shut file in a repository makes a commit of everything fail, and not commit its removal", async () => {
      const here = closing(options, (root) => ({ hidden: [{ path: join(root, "config.toml"), kind: "file" }] }));
      const git = (...args: string[]) =>
        spawnSync("git", ["-C", here.root, "-c", "user.name=a", "-c", "user.email=a@b.c", ...args]);
      writeFileSync(join(here.root, "config.toml"), "kept");
      git("init", "-q");
      git("add", "config.toml");
      git("commit", "-qm", "one");

      const done = await here.run("echo x > new; git add -A; git -c user.name=a -c user.email=a@b.c commit -qam two");
      expect(done.code).not.toBe(0);
      expect(git("show", "HEAD:config.toml").stdout.toString()).toBe("kept");
    });

    test("a root that was given through a link is there by both spellings, with all that covers it", async () => {
      let links = { inTmp: "", inHome: "", beside: "" };
      let real = "";
      const home = mkdtempSync(join(tmpdir(), "home-"));
      onTestFinished(() => rmSync(home, { recursive: true, force: true }));
      const here = place({
        ...options,
        home,
        roots: () => Object.values(links).map((path) => ({ path, real })),
        closed: () => ({ guarded: [join(real, ".envrc")] }),
      });
      real = here.root;
      links = { inTmp: join(dirname(real), "link"), inHome: join(home, "deep/link"), beside: "/srv-of-a-test/link" };
      writeFileSync(join(real, "a.txt"), "shown\n");
      writeFileSync(join(real, ".envrc"), "kept");

      for (const path of Object.values(links)) {
        const { printed } = await here.run(
          `exec 2>&1; cat ${path}/a.txt; echo x >${path}/.envrc; touch ${path}/made; ls ${path}`,
        );
        expect(printed, path).toMatch(/^shown\n[^]*Read-only file system\na.txt\nmade\n$/);
      }
      // A command that changes its own link has changed its own link.
      await here.run(`rm ${links.inTmp}; ln -s /etc ${links.inTmp}`);
      expect((await here.run(`cat a.txt; ls -d ${links.inTmp}/passwd`)).code).toBe(0);
      expect(readFileSync(join(real, ".envrc"), "utf8")).toBe("kept");
    });

    test("what is guarded is read-only, and cannot be moved away with its folder", async () => {
      const here = closing(options, (root) => ({ guarded: [join(root, ".git/hooks")], pinned: [join(root, ".git")] }));
      mkdirSync(join(here.root, ".git/hooks"), { recursive: true });

      const { printed } = await here.run("touch .git/hooks/x; mv .git gone; touch .git/fine && echo fine");
      expect(printed).toMatch(/Read-only file system[^]*busy[^]*fine\n$/);
    });

    test("of many repositories each is guarded by itself", async () => {
      const names = Array.from({ length: 140 }, (_, at) => `a folder with a name that is not short/r${at}/.git`);
      const here = closing(options, (root) => ({
        guarded: names.map((name) => join(root, name, "hooks")),
        pinned: names.map((name) => join(root, name)),
      }));
      for (const name of names) mkdirSync(join(here.root, name, "hooks"), { recursive: true });

      const { printed } = await here.run(`cd a*/r139/.git; touch hooks/x; touch fine && echo fine`);
      expect(printed).toMatch(/Read-only file system\nfine\n$/);
    });

    test("where too many repositories lie to guard each, the folder that holds most of them is read-only, and that is said", async () => {
      const names = Array.from({ length: 160 }, (_, at) => `old/r${at}/.git`);
      const here = closing(options, (root) => ({
        guarded: names.map((name) => join(root, name, "hooks")),
        pinned: names.map((name) => join(root, name)),
      }));
      for (const name of names) mkdirSync(join(here.root, name, "hooks"), { recursive: true });
      mkdirSync(join(here.root, "work"));

      const more = { cwd: join(here.root, "work") };
      const { printed } = await here.run("touch ../old/r7/.git/hooks/x; mv ../old gone; touch fine && echo fine", more);
      expect(printed).toMatch(/Read-only file system[^]*busy[^]*fine\n$/);
      const launch = await here.prepare("true", more);
      expect("facts" in launch ? launch.facts.notes : launch).toEqual([
        { id: "too-many-repositories", folders: [`${here.root}/old`], more: 0, isOpenedInside: true },
      ]);
      if ("release" in launch) await launch.release();
    });

    test("a link that a command puts where the next one has a mount is not followed", async () => {
      const here = place(options);
      const below = dirname(here.root);
      // The root lies in the session's /tmp: its place there is ours.
      await here.run("true");
      const first = await here.run(
        `mv ${below} ${below}.gone; rmdir ${below}/home; ln -s / ${below}/link; rm -rf ${below}`,
      );
      expect(first.code).not.toBe(0);
      expect(await here.run("echo still here > a; cat a")).toEqual({ code: 0, printed: "still here\n" });
    });

    test("more is opened by the operator's own keys", async () => {
      const extra = place({ sandbox: "off" }).outside;
      const [read, write] = [join(extra, "read"), join(extra, "write")];
      for (const folder of [read, write]) mkdirSync(folder);
      writeFileSync(join(read, "a"), "readable");
      const { run } = place({ ...options, sandboxRead: [read], sandboxWrite: [write] });

      expect((await run(["cat", join(read, "a")])).printed).toBe("readable");
      expect((await run(`echo x > ${read}/b`)).code).not.toBe(0);
      expect((await run(`echo x > ${write}/b`)).code).toBe(0);
      expect(existsSync(join(write, "b"))).toBe(true);
    });

    test("without outbound network there is none, not even the machine's loopback", async () => {
      const server = createServer((socket) => socket.end("reached"));
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as { port: number };
      const line = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;

      expect((await place(options).run(line)).printed).toBe("reached");
      const closed = place({ ...options, network: false });
      expect((await closed.run(line)).printed).toMatch(/refused|unreachable/);
      expect(await closed.prepare(["true"])).toMatchObject({ facts: { network: false } });
      server.close();
    });

    test('with the root "/" the system stays read-only, and sockets, state and other namespaces stay away', async () => {
      const outer = place({ sandbox: "off" });
      writeFileSync(join(outer.outside, "secret"), "canary");
      const here = place({
        ...options,
        roots: () => [{ path: "/", real: "/" }],
        closed: () => ({ hidden: [{ path: outer.outside, kind: "folder" }] }),
      });
      const { printed } = await here.run(
        `touch /usr/x /etc/x /var/x; ls -A /run /sys; cat ${outer.outside}/secret; ls /proc | grep -c '^[0-9]'; cat /etc/shadow`,
      );
      expect(printed).not.toMatch(/canary|root:/);
      expect(printed.match(/Read-only file system/g)).toHaveLength(3);
      expect((await here.run(["cat", join(outer.root, "../outside/secret")])).code).not.toBe(0);
      expect((await here.run(`echo x > ${outer.root}/made`)).code).toBe(0);
      expect(existsSync(join(outer.root, "made"))).toBe(true);
    });
  });
});

test.skipIf(!hasBubblewrap)(
  "a program that lies outside is 127, and the hint names the folder that shows it",
  async () => {
    const { outside } = place({ sandbox: "off" });
    writeFileSync(join(outside, "own-tool"), "#!/bin/sh\necho mine\n");
    chmodSync(join(outside, "own-tool"), 0o755);
    const baseEnv = { PATH: `${outside}:/usr/bin:/bin` };

    const missing = await place({ baseEnv }).prepare(["own-tool"]);
    expect(missing).toEqual({
      missing: "own-tool",
      hint: { id: "open-to-sandbox", place: `${outside}/own-tool`, folder: outside, isByName: true },
    });
    expect(await place({ baseEnv, pathExtra: [outside] }).run(["own-tool"])).toEqual({ code: 0, printed: "mine\n" });
  },
);

test("where nothing can hold a command it is refused, with the way to a sandbox", async () => {
  const { outside } = place({ sandbox: "off" });
  const nowhere = place({ sandbox: "require", boxPath: outside });
  await expect(nowhere.run(["true"])).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
    message: expect.stringContaining("not installed"),
    remedy: { id: "commands-off", fix: expect.stringMatching(/apt.*install bubblewrap/) },
  });
  expect(await nowhere.commands.sandbox()).toMatchObject({
    kind: "none",
    why: expect.stringContaining("not installed"),
  });

  symlinkSync("/bin/false", join(outside, "bwrap"));
  await expect(nowhere.run(["true"])).rejects.toMatchObject({ code: "ENGINE_UNAVAILABLE" });
});

test("the next start ends what a killed server and its watcher have left, and removes its folders", async () => {
  const mark = freshMark();
  const state = place({ sandbox: "off" }).outside;
  const gone = `W${"0123456789abcdef".repeat(2)}`;
  mkdirSync(join(state, "watched"), { recursive: true });
  // No process has started so late.
  writeFileSync(join(state, "watched", gone), "1 18446744073709551615\n");
  mkdirSync(join(state, `commands/1.18446744073709551615.aa/s/home-own`), { recursive: true });
  const left = spawn("sleep", ["600"], { env: { ...mark, LLMC_RUN: `${gone}.x` }, stdio: "ignore" });
  await once(left, "spawn");
  const exited = once(left, "exit");

  await place({ sandbox: "off", stateDir: state }).commands.sweep();
  await exited;
  expect(marked(mark)).toEqual([]);
  expect([readdirSync(join(state, "watched")), readdirSync(join(state, "commands"))]).toEqual([[], []]);
});
