import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { describe, expect } from "vitest";
import { hasBubblewrap } from "./programs.js";
import { connectStdio, test } from "./servers.js";

if (!hasBubblewrap) console.warn("skipped: bubblewrap makes no sandbox here");

/** Returns the text of an answer, without the times. */
async function answer(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = (await client.callTool({ name, arguments: args })) as { content: { text: string }[] };
  return (content[0]?.text ?? "").replace(/ · \d+ ms| · \d+\.\d s/, "");
}

const headOf = (text: string): string => text.slice(0, text.indexOf("\n"));

describe.skipIf(!hasBubblewrap)("answers of commands in the sandbox", () => {
  test("a program in the background ends with its command, and is named", async ({ stdio, root }) => {
    writeFileSync(join(root, "server.js"), "setInterval(() => {}, 1000);\n");
    expect(await answer(stdio.client, "run_cmd", { command: "node server.js --token abc &" })).toBe(
      "[exit 0 · ended with the command: node server.js --token ***; linux_proc_start keeps a program]\n",
    );
    expect(await answer(stdio.client, "run_cmd", { command: "sleep 0.1 & wait" })).toBe("[exit 0]\n");
  });

  test("a builtin alone says what the next command needs", async ({ stdio, root }) => {
    mkdirSync(join(root, "py/shop"), { recursive: true });
    const told = "[exit 127]\n[stderr]\n";
    const say = (command: string) => answer(stdio.client, "run_cmd", { command, cwd: "py" });
    expect(await say("cd shop")).toBe(`${told}cd does not last between commands: pass cwd: "py/shop"\n`);
    expect(await say("export X=5")).toBe(`${told}export does not last between commands: pass env: {"X":"5"}\n`);
    const [cwd, env] = ["py/shop", { X: "5" }];
    const followed = await answer(stdio.client, "run_cmd", { command: "echo $X in $PWD", cwd, env });
    expect(followed).toBe(`[exit 0]\n5 in ${root}/py/shop\n`);
  });

  test("a path outside the roots is said to be invisible, whether it exists or not", async ({ stdio, root, home }) => {
    writeFileSync(join(home, "plain.txt"), "x");
    for (const name of ["plain.txt", "none.txt"])
      expect(headOf(await answer(stdio.client, "run_cmd", { command: `cat /srv/x/${name}` }))).toBe(
        `[exit 1 · not visible to commands: /srv/x/${name} (roots: ${root})]`,
      );
    expect(headOf(await answer(stdio.client, "run_cmd", { command: "cat none.txt /usr/none" }))).toBe("[exit 1]");
  });

  test("what git runs is write-protected, and docker has no socket", async ({ stdio, root }) => {
    execFileSync("git", ["init", "-q", root]);
    const hook = "echo x > .git/hooks/pre-commit";
    expect(headOf(await answer(stdio.client, "run_cmd", { command: hook }))).toBe(
      "[exit 1 · .git/hooks is write-protected (roots.allow_exec_config)]",
    );
    writeFileSync(
      join(root, "docker"),
      "#!/bin/sh\necho Cannot connect to the Docker daemon. Is the docker daemon running? >&2; exit 1\n",
      { mode: 0o755 },
    );
    expect(headOf(await answer(stdio.client, "run_cmd", { command: "./docker ps" }))).toBe(
      "[exit 1 · docker's socket is not in the sandbox (it would open the whole machine)]",
    );
  });

  test("git keeps a new remote, its user and what a branch follows, and names what it may not keep", async ({
    stdio,
    root,
  }) => {
    execFileSync("git", ["init", "-q", "-b", "main", root]);
    const run = (command: string) => answer(stdio.client, "run_cmd", { command });
    const kept = () =>
      execFileSync("git", ["config", "--file", join(root, ".git/config"), "--list"], { encoding: "utf8" });

    expect(await run("git remote add origin https://example.org/x.git")).toBe("[exit 0]\n");
    expect(await run("git config user.name 'Ann Other' && git config user.email ann@example.org")).toBe("[exit 0]\n");
    expect(await run("git remote -v && git commit -q --allow-empty -m x && git log --format=%an")).toBe(
      "[exit 0]\norigin\thttps://example.org/x.git (fetch)\norigin\thttps://example.org/x.git (push)\nAnn Other\n",
    );
    const follow = "git update-ref refs/remotes/origin/main HEAD && git branch --set-upstream-to=origin/main";
    expect(await run(follow)).toContain("[exit 0]\n");
    expect(kept().split("\n").slice(-7)).toEqual([
      "remote.origin.url=https://example.org/x.git",
      "remote.origin.fetch=+refs/heads/*:refs/remotes/origin/*",
      "user.name=Ann Other",
      "user.email=ann@example.org",
      "branch.main.remote=origin",
      "branch.main.merge=refs/heads/main",
      "",
    ]);

    const before = kept();
    const push = "git init -q --bare up.git && git remote add up ./up.git && git push -q -u up main && git status -sb";
    expect(await run(push)).toMatch(
      /^\[exit 0 · not kept in \.git\/config: .*remote\.up\.url.* \(write-protected: roots\.allow_exec_config\).*\]\n## main\.\.\.up\/main/,
    );
    expect(headOf(await run("git config core.fsmonitor ./evil; git config alias.st '!sh'; true"))).toBe(
      "[exit 0 · not kept in .git/config: core.fsmonitor, alias.st (write-protected: roots.allow_exec_config)]",
    );
    expect(kept()).toBe(before);
  });

  test("what is kept of git's config leaves it write-protected in a process that runs", async ({ stdio, root }) => {
    execFileSync("git", ["init", "-q", root]);
    const started = await stdio.client.callTool({
      name: "linux_proc_start",
      arguments: { command: "bash --norc -i", wait_for: "$" },
    });
    const { proc_id } = started.structuredContent as { proc_id: string };
    expect(await answer(stdio.client, "run_cmd", { command: "git config user.name x" })).toBe("[exit 0]\n");
    const evil = { proc_id, input: "echo '[core] x = evil' >> .git/config; echo en''d\n", wait_for: "end" };
    expect(await answer(stdio.client, "linux_proc_send", { ...evil, wait_ms: 20_000 })).toContain(
      "Read-only file system",
    );
    expect(execFileSync("git", ["-C", root, "config", "user.name"], { encoding: "utf8" })).toBe("x\n");
    await stdio.client.callTool({ name: "linux_proc_stop", arguments: { proc_id } });
  });

  test("a list of settings that a command makes up keeps no key that runs a program", async ({ stdio, root, home }) => {
    for (const folder of [root, home]) execFileSync("git", ["init", "-q", folder]);
    const config = () =>
      readFileSync(join(root, ".git/config"), "utf8") + readFileSync(join(home, ".git/config"), "utf8");
    const before = config();
    const made = (folder: string, ...entries: string[]) =>
      `printf '${[folder, ...entries].join("\\0")}\\0' > $base/$RANDOM.list`;
    const evil = [
      "core.fsmonitor\\n./x",
      "core.hookspath\\n/tmp",
      "remote.a.url\\next::sh",
      "branch.main.remote\\n./x",
    ];
    const text = await answer(stdio.client, "run_cmd", {
      command: [
        "base=/tmp/.llmc-git-${LLMC_RUN##*.}; mkdir -p $base",
        made(join(root, ".git"), ...evil),
        made(join(home, ".git"), "user.name\\nx"),
        made(`${root}/.git/../.git`, "user.name\\nx"),
      ].join("; "),
    });
    expect(headOf(text)).toContain("not kept in .git/config: ");
    expect(config()).toBe(before);
  });

  test.skipIf(spawnSync("vim", ["--version"]).status !== 0)(
    "a full-screen program costs a line (skipped without vim)",
    async ({ root, home }) => {
      const { client } = await connectStdio(root, home, "e2e", ["--set", "mcp.tools.exec_timeout=6"]);
      const text = await answer(client, "run_cmd", { command: "vim" });
      expect(headOf(text)).toMatch(
        /^\[(exit 1|still running as p_\w+) · a full-screen program: start it with linux_proc_start and pty: true, read it with screen: true\]$/,
      );
      // oxlint-disable-next-line no-control-regex
      expect(text).not.toMatch(/\u001b|~/);
      expect(text.length).toBeLessThan(300);
      await client.close();
    },
  );

  test("a command that is handed over names the call that waits for its end", async ({ root, home }) => {
    const { client } = await connectStdio(root, home, "e2e", ["--set", "mcp.tools.exec_timeout=1"]);
    const text = await answer(client, "run_cmd", { command: ["bash", "-c", "echo one; sleep 3; echo two; exit 3"] });
    const [, id, call] =
      /^\[still running as (p_\w+) · (linux_proc_read \{.*\}) waits for its end\]\none\n$/.exec(text) ?? [];
    expect(call).toBe(`linux_proc_read {"proc_id":"${id}","timeout_ms":45000}`);
    const args = JSON.parse((call ?? "").replace("linux_proc_read ", "")) as Record<string, unknown>;
    expect(await answer(client, "linux_proc_read", args)).toContain("two");
    await client.close();
  });
});
