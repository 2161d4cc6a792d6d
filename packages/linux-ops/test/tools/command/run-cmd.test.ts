import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { McpInput } from "@llmc/config";
import type { OpsError } from "@llmc/errors";
import { describe, expect, onTestFinished, vi } from "vitest";
import { createLinuxOps } from "../../../src/index.js";
import { opsWith, test, textOf } from "../../helpers.js";
import { hasBubblewrap, skipped } from "../../has-bubblewrap.js";

/** With bash in the operator's list, lines with shell syntax run without a sandbox too. */
const BASH = {
  linux_ops: { commands: { sandbox: "off" } },
  tools: { run_cmd_allowlist: ["bash"] },
} satisfies McpInput;
const OFF = { linux_ops: { commands: { sandbox: "off", allow_unsafe: true } } } satisfies McpInput;

test("without roots there is no folder to run in", async ({ root }) => {
  const ops = opsWith(root, OFF);
  await expect(ops.call("run_cmd", { command: "pwd", cwd: "/" })).rejects.toMatchObject({ code: "INVALID_PATH" });
  await ops.close();
});

test("a program runs in the first root, and the answer has the seed's shape and what held it", async ({ root }) => {
  const ops = opsWith(root, OFF);
  expect(await ops.call("run_cmd", { command: "pwd" })).toEqual({
    data: { stdout: `${root}\n`, stderr: "", exit_code: 0 },
    meta: { sandbox: "off", network: true, held: "watcher", duration_ms: expect.any(Number) },
  });
  await ops.close();
});

test("words are never split again, and a folder of the call counts", async ({ root }) => {
  mkdirSync(join(root, "sub"));
  const ops = opsWith(root, OFF);
  const { data } = await ops.call("run_cmd", { command: ["printf", "%s\\n", "a b", "$(id)", "*"], cwd: "sub" });
  expect(data.stdout).toBe("a b\n$(id)\n*\n");
  expect((await ops.call("run_cmd", { command: "pwd", cwd: "sub" })).data.stdout).toBe(`${root}/sub\n`);
  await ops.close();
});

test("what runs whatever it is told is refused without a sandbox, with the setting that opens it", async ({ root }) => {
  const ops = opsWith(root, { linux_ops: { commands: { sandbox: "off" } } });
  const refused: unknown = await ops.call("run_cmd", { command: "python3 -c 1" }).catch((thrown: unknown) => thrown);
  expect(refused).toMatchObject({ code: "COMMAND_NOT_ALLOWED" });
  expect((refused as OpsError).hint).toMatch(/mcp\.linux_ops\.commands\.allowed_binaries/);
  await ops.close();
});

test("the operator's list for run_cmd binds, and switches close it", async ({ root }) => {
  const ops = opsWith(root, { ...OFF, tools: { run_cmd_allowlist: ["echo"] } });
  expect((await ops.call("run_cmd", { command: "echo hi" })).data.stdout).toBe("hi\n");
  await expect(ops.call("run_cmd", { command: "ls" })).rejects.toMatchObject({ code: "COMMAND_NOT_ALLOWED" });
  await ops.close();
  const closed = opsWith(root, { tools: { enable_run_cmd: false } });
  await expect(closed.call("run_cmd", { command: "ls" })).rejects.toMatchObject({ code: "FEATURE_DISABLED" });
  await closed.close();
});

test("a timeout ends it with 124 and returns what it had printed", async ({ root }) => {
  const ops = opsWith(root, BASH);
  const { data } = await ops.call("run_cmd", { command: "echo before; sleep 600", timeout: 1 });
  expect(data).toEqual({ stdout: "before\n", stderr: "", exit_code: 124 });
  await ops.close();
});

test("a timeout above the operator's bound is refused", async ({ root }) => {
  const ops = opsWith(root, { ...OFF, linux_ops: { ...OFF.linux_ops, process_limits: { max_timeout_sec: 60 } } });
  await expect(ops.call("run_cmd", { command: "ls", timeout: 61 })).rejects.toMatchObject({
    message: expect.stringMatching(/more than 60 seconds/),
    hint: expect.stringMatching(/max_timeout_sec/),
  });
  await expect(ops.call("run_cmd", { command: "ls", timeout: 45_000 })).rejects.toMatchObject({
    hint: "timeout is in seconds: for 45000 ms pass timeout: 45.",
  });
  await expect(ops.call("run_cmd", { command: "ls", timeout_ms: 45_000 } as never)).rejects.toMatchObject({
    hint: expect.stringMatching(/^Did you mean timeout \(in seconds\)\?/),
  });
  await ops.close();
});

test("variables of the call are the command's, but for those that choose what runs", async ({ root }) => {
  const ops = opsWith(root, BASH);
  const { data } = await ops.call("run_cmd", { command: "echo $GREETING, $HOME", env: { GREETING: "hello" } });
  expect(data.stdout).toMatch(/^hello, \//);
  await expect(
    ops.call("run_cmd", { command: ["bash", "-c", ""], env: { LD_PRELOAD: "/x.so" } }),
  ).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining("LD_PRELOAD"),
  });
  await ops.close();
});

test("what a program prints for a terminal is not in the answer, nor what it wrote over", async ({ root }) => {
  const ops = opsWith(root, BASH);
  const command = String.raw`printf '\033[32mok\033[0m\n 1%%\r 99%%\rdone\nab\bc\n'; printf '\033]0;t\007warn\r\n' >&2`;
  expect((await ops.call("run_cmd", { command })).data).toMatchObject({ stdout: "ok\ndone\nac\n", stderr: "warn\n" });
  expect(await ops.call("EXEC_CLI", { command })).toMatchObject({ stdout: "ok\ndone\nac\n", stderr: "warn\n" });
  const flood = String.raw`for i in {1..9000}; do printf '\033[3%dm%d\033[0m\n' $((i % 8)) $i; done`;
  const { data, meta } = await ops.call("run_cmd", { command: flood });
  expect(data.stdout).toMatch(/^1\n2\n/);
  const kept = await ops.call("linux.handle_read", { handle: meta.handle ?? "", limit: 1_000_000 });
  expect(kept.data).toBe(Array.from({ length: 9000 }, (_, at) => `${at + 1}\n`).join(""));
  await ops.close();
});

test("a cancelled call ends its command", async ({ root }) => {
  const ops = opsWith(root, BASH);
  const call = new AbortController();
  const running = ops.call("run_cmd", { command: `echo x > ${root}/started; sleep 600` }, { signal: call.signal });
  await waitFor(() => readFileSync(join(root, "started"), "utf8") === "x\n");
  call.abort();
  await expect(running).rejects.toMatchObject({ code: "CANCELLED" });
  await ops.close();
});

test("signals and what cannot be executed have a shell's exit codes", async ({ root }) => {
  const ops = opsWith(root, OFF);
  writeFileSync(join(root, "plain"), "text");
  const codeOf = async (command: string | string[]) => (await ops.call("run_cmd", { command })).data.exit_code;
  expect(await codeOf(["bash", "-c", "kill -TERM $$"])).toBe(143);
  expect(await codeOf("nosuchprogram -x")).toBe(127);
  expect(await codeOf(["bash", "-c", "exit 3"])).toBe(3);
  const { data } = await ops.call("run_cmd", { command: "./plain" });
  expect([data.exit_code, data.stderr]).toEqual([
    126,
    expect.stringMatching(/plain: Permission denied .*chmod \+x.*bash .\/plain/),
  ]);
  mkdirSync(join(root, "folder"));
  expect((await ops.call("run_cmd", { command: "./folder" })).data).toMatchObject({
    exit_code: 126,
    stderr: "./folder: Is a directory\n",
  });
  expect(await ops.call("linux.proc_start", { command: "./plain" })).toMatchObject({ exit_code: 126, state: "exited" });
  await ops.close();
});

test("a command that is no command says what of it is wrong", async ({ root, ops }) => {
  writeFileSync(join(root, "a"), "");
  const messageOf = (command: unknown) =>
    ops.call("run_cmd", { command } as never).then(
      () => "it ran",
      (thrown: OpsError) => thrown.message,
    );

  expect(await messageOf(Array.from({ length: 5000 }, () => "x"))).toBe(
    "run_cmd: command is 5000 items; it must be at most 4096 items",
  );
  expect(await messageOf([])).toBe("run_cmd: command is empty");
  expect(await messageOf("")).toBe("run_cmd: command is empty");
  expect(await messageOf(["ls", 5])).toBe("run_cmd: command[1] is 5; it must be a string");
  expect(await messageOf(5)).toBe("run_cmd: command is 5; it must be a string or an array");
});

test("a flood is cut in its middle, counted, and stands whole behind a handle", async ({ root }) => {
  const ops = opsWith(root, OFF);
  const { data, meta } = await ops.call("run_cmd", { command: "seq 1 200000" });
  const all = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join("");

  expect(data.stdout.length).toBeLessThan(21_000);
  expect(data.stdout).toMatch(/^1\n2\n/);
  expect(data.stdout).toMatch(/\n199999\n200000\n$/);
  expect(meta).toMatchObject({ truncated: true, stdout_bytes: all.length, handle: expect.stringMatching(/^H_cmd_/) });
  const [, lines, bytes] = /… \[(\d+) lines, (\d+) bytes left out; all of it: h\d{6}\] …\n/.exec(data.stdout) ?? [];
  const shown = data.stdout.replace(/… \[.*\] …\n/, "");
  expect(Number(bytes) + shown.length).toBe(all.length);
  expect(Number(lines) + shown.split("\n").length - 1).toBe(200_000);
  const slice = await ops.call("linux.handle_read", { handle: meta.handle ?? "", offset: 1_000_000, limit: 100 });
  expect(slice.data).toBe(all.slice(1_000_000, 1_000_100));
  await ops.close();
});

test("bytes that are no text, and characters across chunks, come as they can be shown", async ({ root }) => {
  const ops = opsWith(root, OFF);
  const script = "printf '\\xc3'; sleep 0.05; printf '\\xa4\\xff\\n'";
  expect((await ops.call("run_cmd", { command: ["bash", "-c", script] })).data.stdout).toBe("ä\ufffd\n");
  await ops.close();
});

test("a process that stays behind and holds the output does not hold the answer up", async ({ root }) => {
  const ops = opsWith(root, OFF);
  const { data } = await ops.call("run_cmd", { command: ["bash", "-c", "sleep 5 & echo done"], timeout: 20 });
  expect(data).toMatchObject({ stdout: "done\n", exit_code: 0 });
  await ops.close();
});

test("a program that closes its output and works on is waited for", async ({ root }) => {
  const ops = opsWith(root, BASH);
  const { data } = await ops.call("run_cmd", { command: `exec >&- 2>&-; sleep 0.5; echo x > ${root}/late; exit 5` });
  expect([data.exit_code, readFileSync(join(root, "late"), "utf8")]).toEqual([5, "x\n"]);
  await ops.close();
});

test("a long run tells how it goes", async ({ root }) => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const ops = opsWith(root, BASH);
  const [told, call] = [vi.fn<(message: string) => void>(), new AbortController()];
  const options = { progress: told, signal: call.signal };
  const running = ops.call("run_cmd", { command: `echo x | tee ${root}/started; sleep 600` }, options);
  await waitFor(() => readFileSync(join(root, "started"), "utf8") === "x\n");
  vi.advanceTimersByTime(10_000);
  expect(told).toHaveBeenCalledWith(expect.stringMatching(/^running for \d+ s, \d bytes printed$/));
  call.abort();
  await expect(running).rejects.toMatchObject({ code: "CANCELLED" });
  await ops.close();
});

test("the text form is one line and the output", async ({ root }) => {
  expect(await textOf(root, "run_cmd", { command: "echo out; echo err >&2; exit 2" }, BASH)).toMatch(
    /^\[exit 2 · no sandbox\]\nout\n\[stderr\]\nerr\n$/,
  );
});

describe.skipIf(!hasBubblewrap)(`in the sandbox${skipped}`, () => {
  test("everything runs, and nothing outside is there", async ({ root, ops }) => {
    const { data, meta } = await ops.call("run_cmd", {
      command: "python3 -c 'print(6*7)' && ls /home /root/.ssh; true",
    });
    expect(data).toMatchObject({ stdout: "42\n", exit_code: 0 });
    expect(meta).toMatchObject({ sandbox: "bubblewrap", network: true, held: "pid namespace" });
    expect((await ops.call("run_cmd", { command: ["ls", root] })).data.exit_code).toBe(0);
  });

  test("of many at once each has its own exit code", async ({ ops }) => {
    const codes = Array.from({ length: 100 }, (_, at) => at + 1);
    // The end of one makes Node look for that of all others: it may be known before what their boxes said last is read.
    for (let round = 0; round < 3; round += 1) {
      const ran = codes.map((code) => ops.call("run_cmd", { command: ["bash", "-c", `exit ${code}`] }));
      expect((await Promise.all(ran)).map(({ data }) => data.exit_code)).toEqual(codes);
    }
  });

  test("what others execute is read-only, and what was made is named", async ({ root, ops }) => {
    await ops.call("run_cmd", { command: "git init -q repo" });
    const hook = join(root, "repo/.git/hooks/post-commit");

    const made = await ops.call("run_cmd", { command: "git init -q other; echo x > .envrc" });
    expect(made.meta.made_executable_config).toEqual(
      expect.arrayContaining([join(root, ".envrc"), join(root, "other/.git/config")]),
    );
    const many = await ops.call("run_cmd", {
      command: "for each in {1..30}; do mkdir $each; echo > $each/.envrc; done",
    });
    expect(many.meta).toMatchObject({ note: "made 10 more that other programs run" });
    expect(many.meta.made_executable_config).toHaveLength(20);
    const written = await ops.call("run_cmd", { command: `echo evil > ${hook}` });
    expect(written.data).toMatchObject({ exit_code: 1, stderr: expect.stringMatching(/Read-only file system/) });
    expect((await ops.call("run_cmd", { command: "mv repo/.git repo/gone" })).data.stderr).toMatch(/busy/);
  });

  test("the server's own state in a root is there for nobody", async ({ root }) => {
    const ops = createLinuxOps({ roots: [root], dataDir: join(root, "data") });
    await ops.call("linux.fs_write", { path: join(root, "a"), content: "x" });
    const { data } = await ops.call("run_cmd", { command: "ls -A data; touch data/x; rm -rf data; ls" });

    expect(data.stdout).toBe("a\ndata\n");
    expect(data.stderr).toMatch(/Read-only file system/);
    await ops.close();
  });

  test("health names the sandbox", async ({ ops }) => {
    expect((await ops.call("health", {})).sandbox).toMatch(/^bubblewrap/);
  });
});

async function waitFor(isTrue: () => boolean): Promise<void> {
  for (;;) {
    try {
      if (isTrue()) return;
    } catch {
      // Not yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The kernel's clock for files stands still between two ticks: what comes after that is told apart from what was before. */
async function afterTheTick(): Promise<void> {
  const now = Date.now();
  await vi.waitUntil(() => Date.now() > now + 30, { interval: 1 });
}

test("what the session's own command changed is not taken for somebody else's work", async ({ root }) => {
  const ops = opsWith(root, BASH);
  const path = join(root, "f");
  const write = (content: string) => ops.call("linux.fs_write", { path, content });
  await write("one\n");
  await ops.call("run_cmd", { command: "echo formatted >f" });
  await write("two\n");
  expect(readFileSync(path, "utf8")).toBe("two\n");
  await afterTheTick();
  writeFileSync(path, "theirs\n");
  await expect(write("three\n")).rejects.toMatchObject({ code: "STALE_FILE" });
  // Neither a command that does not start makes it so, nor one that comes later.
  await afterTheTick();
  await ops.call("run_cmd", { command: ["no-such-program"] }).catch(() => {});
  await ops.call("run_cmd", { command: "true >elsewhere" });
  await expect(write("three\n")).rejects.toMatchObject({ code: "STALE_FILE" });
  await ops.close();
});
