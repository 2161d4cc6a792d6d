import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { freshMark, marked } from "../../../te-run/test/processes.js";
import { hasBubblewrap, place } from "./boxes.js";

const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe.skipIf(!hasBubblewrap)("in bubblewrap", () => {
  test("a command sees its root and writes to it, and nothing beside it", async () => {
    const { root, outside, run } = place();
    writeFileSync(join(outside, "secret"), "canary");

    expect(await run(`echo hello > ${root}/made; cat ${root}/made`)).toEqual({ code: 0, printed: "hello\n" });
    expect(readFileSync(join(root, "made"), "utf8")).toBe("hello\n");
    expect((await run(["cat", join(outside, "secret")])).printed).toMatch(/No such file/);
    expect((await run(`echo x > ${outside}/new`)).code).not.toBe(0);
    expect(readdirSync(outside)).toEqual(["secret"]);
  });

  test("a list of processes does not print how the box was made", async () => {
    const { run } = place();
    const { printed } = await run(["cat", "/proc/1/cmdline"]);
    expect(printed.split("\0").slice(0, 3)).toEqual([expect.stringMatching(/bwrap$/), "--args", expect.any(String)]);
    expect(printed).not.toContain("bind");
  });

  test.skipIf(process.getuid?.() !== 0)("a full data dir keeps no command from its box", async () => {
    const state = mkdtempSync(join(tmpdir(), "state-"));
    expect(spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "none", state]).status).toBe(0);
    onTestFinished(() => void spawnSync("umount", ["-l", state]));
    const guarded: string[] = [];
    const { root, commands, run } = place({
      stateDir: state,
      closed: () => ({ hidden: [], guarded, pinned: [] }),
    });
    expect((await run("echo one > kept")).code).toBe(0);
    expect(() => writeFileSync(join(state, "fill"), Buffer.alloc(2 ** 21))).toThrow(/ENOSPC/);
    guarded.push(join(root, "kept"));
    expect(await run("cat kept; echo two > kept || cat /proc/1/cmdline")).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/^one\n[^]*--ro-bind/) as string,
    });
    // Its folders lie on what is unmounted next.
    await commands.close();
  });

  test.skipIf(!["x64", "arm64"].includes(process.arch))(
    "no file becomes setuid, whatever call makes it so; other modes are given",
    async () => {
      const { root, run } = place();
      writeFileSync(join(root, "f"), "");

      for (const command of ["chmod u+s f", "chmod 4755 f", "install -m 4755 /bin/true g"])
        expect([command, (await run(command)).code]).not.toEqual([command, 0]);
      const made = "import os; os.open('h', os.O_CREAT | os.O_WRONLY, 0o4755)";
      if (hasPython) expect((await run(["python3", "-c", made])).printed).toContain("Operation not permitted");
      expect(
        (await run("chmod 2755 f && mkdir -m 2775 d && cat f > k && chmod 750 k && stat -c %a f d k")).printed,
      ).toBe("2755\n2775\n750\n");
      for (const name of readdirSync(root)) expect(statSync(join(root, name)).mode & 0o4000).toBe(0);
    },
  );

  test("what a session leaves in its home and in /tmp is there for its next command, and for no other session", async () => {
    const { commands, run } = place();

    await run("echo one > ~/kept; echo two > /tmp/kept");
    expect((await run("cat ~/kept /tmp/kept")).printed).toBe("one\ntwo\n");
    const other = { session: { id: "s2", agentId: "a", model: "m" } };
    expect((await run("cat ~/kept /tmp/kept", other)).code).not.toBe(0);
    await commands.endSession("s1");
    expect((await run("cat ~/kept")).code).not.toBe(0);
  });

  test("the environment is built: nothing of ours that is not named gets in", async () => {
    const { run } = place({ baseEnv: { LANG: "C.UTF-8", TOKEN: "secret", KEPT: "yes" }, envPass: ["KEPT"] });

    const { printed } = await run(["env"], { env: { MINE: "1" } });
    expect(printed).not.toContain("secret");
    expect(printed.split("\n")).toEqual(
      expect.arrayContaining(["KEPT=yes", "MINE=1", "TE_AGENT_ID=agent", "TE_SESSION_ID=s1", "TE_MODEL=model"]),
    );
    await expect(run(["env"], { env: { LD_PRELOAD: "/x.so" } })).rejects.toThrow(
      /LD_PRELOAD changes what a program runs/,
    );
  });

  test("exit codes are the program's, and a name that exists nowhere is 127", async () => {
    const { root, prepare, run } = place();
    writeFileSync(join(root, "broken"), "#!/nowhere/sh\n", { mode: 0o755 });

    expect((await run("exit 7", { command: { line: "exit 7", isShell: true } })).code).toBe(7);
    expect((await run("kill -9 $$")).code).toBe(137);
    expect((await run(["nosuchprogram"])).code).toBe(127);

    const launch = await prepare(["./broken"]);
    if ("missing" in launch) throw new Error("it is there");
    const { child, stderr } = await launch.start({ stdin: "ignore" });
    let printed = "";
    stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
    expect(await launch.failure({ exitCode, printed })).toMatchObject({ exitCode: 127 });
  });

  test("the end of a command takes everything with it, whatever it started", async () => {
    const { prepare } = place();
    const launch = await prepare(
      "trap '' TERM; setsid sh -c 'trap \"\" TERM; sleep 600' & (sleep 601 &) ; echo ready; sleep 602",
    );
    if ("missing" in launch) throw new Error("bash is missing");
    const started = await launch.start({ stdin: "ignore" });
    await new Promise((resolve) => started.stdout.once("data", resolve));
    const program = await launch.programPid();
    expect(program).toBeGreaterThan(1);
    // While the shell becomes the last program there is no command line.
    await expect.poll(() => readFileSync(`/proc/${program}/cmdline`, "latin1"), { timeout: 10_000 }).toContain("602");

    expect(await launch.end(50)).toEqual([]);
    expect(() => process.kill(program ?? 0, 0)).toThrow(/ESRCH/);
    expect(started.child.exitCode ?? started.child.signalCode).not.toBeNull();
  });

  test("a command that asks about the machine is told that it saw the sandbox", async () => {
    const { prepare } = place();

    expect(await prepare(["ps"])).toMatchObject({ facts: { notes: [{ id: "ask-the-machine", about: "processes" }] } });
    expect(await prepare("echo x; df | head")).toMatchObject({
      facts: { notes: [{ id: "ask-the-machine", about: "state" }] },
    });
    expect(await prepare(["echo", "ps"])).toMatchObject({ facts: { notes: [] } });
  });
});

describe.skipIf(!hasBubblewrap)("with a look at the host", () => {
  test("a command sees the processes of the machine, and nothing of what they hold", async () => {
    const { run } = place({ hostView: true, baseEnv: { PATH: process.env["PATH"], SECRET: "canary-77" } });

    const { printed } = await run(
      `cat /proc/${process.pid}/comm; cat /proc/${process.pid}/environ; ls /proc/${process.pid}/root/`,
    );
    expect(printed).toMatch(/^(node|vitest|MainThread)/);
    expect(printed.match(/Permission denied|cannot access/g)?.length).toBeGreaterThanOrEqual(2);
    expect((await run("ls /run")).printed).not.toMatch(/sock/);
  });

  test("what it leaves behind is found by its mark", async () => {
    const mark = freshMark();
    const { prepare } = place({ hostView: true });
    const launch = await prepare("setsid sleep 600 & echo ready; sleep 601", { env: mark });
    if ("missing" in launch) throw new Error("bash is missing");
    expect(launch.facts.held).toBe("watcher");
    const started = await launch.start({ stdin: "ignore" });
    await new Promise((resolve) => started.stdout.once("data", resolve));
    expect(await launch.end(50)).toEqual([]);
    expect(marked(mark)).toEqual([]);
    await launch.release();
  });
});

test.skipIf(process.getuid?.() !== 0 || !hasBubblewrap)(
  "where we are root a command is the owner of its root",
  async () => {
    const here = place();
    chownSync(here.root, 1234, 1234);
    writeFileSync(join(here.root, "own"), "x");
    chownSync(join(here.root, "own"), 1234, 1234);
    chmodSync(join(here.root, "own"), 0o600);
    writeFileSync(join(here.root, "of-root"), "x", { mode: 0o600 });

    const { printed } = await here.run(
      "id -u; id -g; cat own; cat of-root; touch ~/a /tmp/b new && stat -c %u new; grep CapEff /proc/self/status",
    );
    expect(printed).toMatch(/^1234\n1234\nx/);
    expect(printed).toMatch(/of-root: Permission denied/);
    expect(printed).toMatch(/^1234$/m);
    expect(printed).toMatch(/CapEff:\t0+\n/);
  },
);
