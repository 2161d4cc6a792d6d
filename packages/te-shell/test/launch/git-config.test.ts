import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RunningCommand, type CommandEnd } from "../../src/index.js";
import { hasBubblewrap, hasNamespaces, place, type Place, type PlaceOptions } from "./boxes.js";

const hasGit = spawnSync("git", ["--version"]).status === 0;
if (!hasGit) console.warn("skipped: git is not installed");

/** Makes a repository with a commit, and a command's view with its config guarded. */
function repository(options: PlaceOptions = {}): Place & { git(...words: string[]): string } {
  const here = place({
    closed: (root) => ({
      guarded: [join(root, ".git/config"), join(root, ".git/hooks")],
      pinned: [join(root, ".git")],
    }),
    ...options,
  });
  const git = (...words: string[]) => execFileSync("git", ["-C", here.root, ...words], { encoding: "utf8" });
  git("init", "-q", "-b", "main");
  git("-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "--allow-empty", "-m", "first");
  return { ...here, git };
}

async function run({ prepare }: Place, command: string | readonly string[]): Promise<CommandEnd> {
  const launch = await prepare(command);
  if ("missing" in launch) throw new Error(`${launch.missing} is missing`);
  return await (await RunningCommand.start(launch, { maxBytes: 10_000 })).end();
}

const printed = ({ stdout, stderr }: CommandEnd): string => stdout.head().toString() + stderr.head().toString();
const wanted = ({ gitChanges = [] }: CommandEnd): Record<string, string> =>
  Object.fromEntries(gitChanges.flatMap(({ settings }) => settings));

const TIERS = [
  ["bubblewrap", hasBubblewrap, {}],
  ["namespaces", hasNamespaces, { boxKind: "namespaces" }],
] as const;

describe.each(TIERS)("in %s", (_, isThere, options) => {
  describe.skipIf(!isThere || !hasGit)("git writes to a copy of the config", () => {
    test("from a line and from words, and finds there what it wrote", async () => {
      const here = repository(options);
      const config = readFileSync(join(here.root, ".git/config"), "utf8");
      const url = "https://example.org/x.git";

      const line = await run(here, `git remote add up ${url} && git remote -v && git config user.name "Ann O"`);
      expect([line.exitCode, printed(line)]).toEqual([0, `up\t${url} (fetch)\nup\t${url} (push)\n`]);
      expect(line.gitChanges?.map(({ folder }) => folder)).toEqual([join(here.root, ".git")]);
      expect(wanted(line)).toMatchObject({
        "remote.up.url": url,
        "remote.up.fetch": "+refs/heads/*:refs/remotes/up/*",
        "user.name": "Ann O",
      });
      const words = await run(here, ["git", "-C", ".", "config", "user.email", "ann@example.org"]);
      expect([words.exitCode, wanted(words)["user.email"]]).toEqual([0, "ann@example.org"]);
      // Each command starts from the original config.
      expect(wanted(words)).not.toHaveProperty(["user.name"]);
      expect(readFileSync(join(here.root, ".git/config"), "utf8")).toBe(config);
    });

    test("and works on in the repository: commits, tracking branches, packed refs, worktrees", async () => {
      const here = repository(options);
      const line =
        "git init -q --bare up.git && git remote add up ./up.git && git config user.name n && git config user.email e && " +
        "git commit -q --allow-empty -m second && git push -q -u up main && git branch side && " +
        "git branch --set-upstream-to=up/main side && git pack-refs --all && git worktree add -q wt && git fetch up && git status -sb";
      const end = await run(here, line);
      expect([end.exitCode, end.stderr.head().toString()]).toEqual([0, expect.not.stringMatching(/error|fatal/)]);
      expect(printed(end)).toContain("## main...up/main");
      expect(wanted(end)).toMatchObject({
        "branch.main.remote": "up",
        "branch.main.merge": "refs/heads/main",
        "branch.side.remote": "up",
      });
      expect(here.git("log", "--format=%s")).toBe("second\nfirst\n");
      expect(here.git("rev-parse", "--verify", "-q", "refs/remotes/up/main")).toMatch(/^[0-9a-f]+\n$/);
      expect(here.git("worktree", "list")).toContain("/wt ");
      expect(existsSync(join(here.root, ".git/config.lock"))).toBe(false);
    });

    test("and what it does not write to is the repository's own git", async () => {
      const here = repository(options);
      expect(await run(here, "git status -sb; git log --oneline; git branch")).not.toHaveProperty("gitChanges");
      expect(await run(here, "git config --get core.bare")).toMatchObject({ exitCode: 0 });
      const other = await run(
        here,
        "git init -q new && cd new && git config user.name x && git remote add a b && cat .git/config",
      );
      expect([other.exitCode, printed(other)]).toEqual([0, expect.stringContaining('[remote "a"]')]);
      expect(other).not.toHaveProperty("gitChanges");
    });

    test("and a PATH that was changed leads to it and on to git", async () => {
      const here = repository(options);
      const line = "PATH=/nowhere:$PATH:; export PATH; git config user.name x && git config user.name";
      const end = await run(here, line);
      expect([end.exitCode, printed(end), wanted(end)["user.name"]]).toEqual([0, "x\n", "x"]);
    });
  });
});

describe.skipIf(!hasBubblewrap || !hasGit)("lists that a command makes up", () => {
  const folder = "base=/tmp/.llmc-git-${LLMC_RUN##*.}; mkdir -p $base;";

  const own = `printf '%s\\0' $PWD/.git`;

  test("are read as data, within bounds", async () => {
    const here = repository();
    const made = `{ ${own}; printf 'a.b\\nc\\0flag\\0'; } > $base/1.list; printf 'x\\0y\\nz' > $base/2.list`;
    expect((await run(here, `${folder} ${made}`)).gitChanges).toEqual([
      {
        folder: join(here.root, ".git"),
        settings: [
          ["a.b", "c"],
          ["flag", "true"],
        ],
      },
    ]);
    const many = `for i in $(seq 500); do ${own} > $base/$i.list; done`;
    expect((await run(here, `${folder} ${many}`)).gitChanges?.length).toBeLessThanOrEqual(8);
    const large = `{ ${own}; head -c 70000 /dev/zero; } > $base/1.list`;
    expect(await run(here, `${folder} ${large}`)).not.toHaveProperty("gitChanges");
  });

  test.each([
    ["a link to a list", `${own} > /tmp/real; ln -s /tmp/real $base/1.list`],
    ["a pipe", "mkfifo $base/1.list"],
    ["a folder", "mkdir $base/1.list"],
    ["a link in place of the folder", `rm -r $base; mkdir /tmp/else; ${own} > /tmp/else/1.list; ln -s /tmp/else $base`],
    ["a file in place of the folder", "rm -r $base; echo > $base"],
  ])("are not followed: %s", async (_, line) => {
    expect(await run(repository(), `${folder} ${line}`)).not.toHaveProperty("gitChanges");
  });

  test("of another command of the session are not read", async () => {
    const here = repository();
    await run(here, `mkdir -p /tmp/.llmc-git-x; ${own} > /tmp/.llmc-git-x/1.list`);
    expect(await run(here, "true")).not.toHaveProperty("gitChanges");
  });

  test("count for no config but those that are guarded where the command may write", async () => {
    const line = `${folder} ${own} > $base/1.list; printf '/usr/.git\\0' > $base/2.list; printf '%s\\0' $PWD/a/.git > $base/3.list`;
    expect((await run(repository(), line)).gitChanges?.length).toBe(1);
  });
});

describe.skipIf(!hasGit)("the changes of a command in the config", () => {
  const current = Buffer.from(
    "# by hand\n[core]\n\tbare = false ; keep\n[include]\n\tpath = /none\n[user]\n\tname = Old\n",
  );

  test("are written by git, and all else stays as it is", async () => {
    const { commands } = place({ sandbox: "off" });
    const merged = await commands.mergeGitConfig(current, [
      ["core.bare", "false"],
      ["include.path", "/none"],
      ["user.name", 'New "N" #1'],
      ["remote.up.url", "https://example.org/x"],
      ["remote.up.fetch", "+refs/heads/*:refs/remotes/up/*"],
      ["branch.main.remote", "up"],
      ["core.fsmonitor", "./evil"],
    ]);
    expect(merged.refused).toEqual(["core.fsmonitor"]);
    expect(merged.content?.toString()).toBe(
      '# by hand\n[core]\n\tbare = false ; keep\n[include]\n\tpath = /none\n[user]\n\tname = "New \\"N\\" #1"\n' +
        '[remote "up"]\n\turl = https://example.org/x\n\tfetch = +refs/heads/*:refs/remotes/up/*\n' +
        '[branch "main"]\n\tremote = up\n',
    );
  });

  test("that are all refused change nothing", async () => {
    const { commands } = place({ sandbox: "off" });
    expect(await commands.mergeGitConfig(current, [["alias.x", "!sh"]])).toMatchObject({
      content: undefined,
      refused: expect.arrayContaining(["alias.x", "user.name (removed)"]),
    });
  });
});
