import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RunningCommand, type CommandEnd, type CommandsOptions } from "../../src/index.js";
import { marked } from "../../../te-run/test/processes.js";
import { hasBubblewrap, place } from "../launch/boxes.js";

const KINDS: readonly (readonly [string, Partial<CommandsOptions>])[] = [
  ["without a sandbox", { sandbox: "off", lists: { allowUnsafe: true, allowed: ["bash", "pwd", "yes"] } }],
  ...(hasBubblewrap ? [["in bubblewrap", {}] as const] : []),
];

/** A session whose processes are found by its name, after a command: a shell waits for the next one. */
async function warm(options: Partial<CommandsOptions>) {
  const here = place(options);
  const session = { id: randomUUID(), agentId: "agent", model: "model" };
  const more = { session };
  await here.run(["pwd"], more);
  await expect.poll(() => waiting(session.id), { timeout: 10_000 }).toHaveLength(1);
  const end = async (command: string | readonly string[]): Promise<CommandEnd> => {
    const launch = await here.prepare(command, more);
    if ("missing" in launch) throw new Error(`${launch.missing} is missing`);
    const running = await RunningCommand.start(launch, { maxBytes: 100_000 });
    const timer = setTimeout(() => running.stop("timeout"), 20_000);
    return await running.end().finally(() => clearTimeout(timer));
  };
  return { ...here, more, session: session.id, end };
}

/** Shells that have joined what bounds them and read what they become. */
function waiting(session: string): number[] {
  return marked({ TE_SESSION_ID: session })
    .filter((line) => /^\d+ \/bin\/sh -s\b/.test(line))
    .map((line) => Number.parseInt(line, 10));
}

test.each(KINDS)("%s the next command is as the first one was", async (_, options) => {
  const here = place(options);
  const session = { id: randomUUID(), agentId: "agent", model: "model" };
  // What differs from run to run is left out.
  const line = [
    "bash",
    "-c",
    `env | grep -v LLMC_RUN | sort; pwd; umask; ulimit -a | grep -v pending; wc -c; cat /proc/self/oom_score_adj
    grep -E '^(Cap|NoNew|Sig[BIC])' /proc/$$/status; ls /proc/$$/fd; sed 's/[0-9a-f]\\{12\\}$//' /proc/self/cgroup`,
  ];
  const first = await here.run(line, { session });
  await expect.poll(() => waiting(session.id), { timeout: 10_000 }).toHaveLength(1);

  expect(first.code).toBe(0);
  expect(await here.run(line, { session })).toEqual(first);
});

test("without a sandbox the shell that waits becomes the command", async () => {
  const { end, session } = await warm({ sandbox: "off", lists: { allowUnsafe: true } });
  const [pid] = waiting(session);

  expect(String((await end(["bash", "-c", "echo $$"])).stdout.head())).toBe(`${pid}\n`);
});

test.each(KINDS)("%s words arrive as they are, and stdin is empty", async (_, options) => {
  const { end } = await warm(options);
  const words = ["-n", "two\nlines", "it's", '"$HOME" `id` \\', "ü€😀", "", "'; exit 3; '"];
  const { stdout, exitCode } = await end(["bash", "-c", 'printf "%s|" "$@"; cat', "bash", ...words]);

  expect(exitCode).toBe(0);
  expect(stdout.head().toString()).toBe(words.map((word) => `${word}|`).join(""));
});

test.each(KINDS)(
  "%s words that are too many for it, or too long for the kernel, are met as ever",
  async (_, options) => {
    const { end, prepare, more } = await warm(options);
    const long = "x".repeat(100_000);

    expect((await end(["bash", "-c", 'echo "${#1}"', "bash", long])).stdout.head().toString()).toBe("100000\n");
    const launch = await prepare(["bash", "-c", "", "bash", long.repeat(2)], more);
    if ("missing" in launch) throw new Error("bash is missing");
    await expect(launch.start({ stdin: "ignore" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await launch.release();
  },
);

test.each(KINDS)("%s a shell that somebody ended is not waited for", async (_, options) => {
  const { end, session } = await warm(options);
  for (const pid of waiting(session)) process.kill(pid, "SIGKILL");
  await expect.poll(() => waiting(session)).toEqual([]);

  expect(await end(["bash", "-c", "exit 7"])).toMatchObject({ exitCode: 7, ended: "exit" });
});

test("a folder that is gone is told as ever", async () => {
  const { prepare, more, root } = await warm({ sandbox: "off" });
  const cwd = join(root, "gone");
  mkdirSync(cwd);
  const launch = await prepare(["pwd"], { ...more, cwd });
  if ("missing" in launch) throw new Error("pwd is missing");
  rmSync(cwd, { recursive: true });

  await expect(launch.start({ stdin: "ignore" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await launch.release();
});

test("what is prepared and never started leaves no process", async () => {
  const { prepare, more, commands, session } = await warm({ sandbox: "off" });
  const launch = await prepare(["pwd"], more);
  if ("missing" in launch) throw new Error("pwd is missing");
  await launch.release();
  await commands.close();

  expect(marked({ TE_SESSION_ID: session })).toEqual([]);
});

test.each(KINDS)("%s the end of a session ends what waits for it", async (_, options) => {
  const { commands, session } = await warm(options);
  await commands.endSession(session);

  expect(marked({ TE_SESSION_ID: session })).toEqual([]);
});

test.each(KINDS)("%s memory and files are bounded in what a shell that waited becomes", async (_, options) => {
  const memory = await warm({ ...options, maxMemoryMb: 128 });
  expect((await memory.end(["bash", "-c", "head -c 4G /dev/zero | tail | wc -c"])).limit).toBe("memory");
  const file = await warm({ ...options, maxFileBytes: 1024 * 1024 });
  expect((await file.end(["bash", "-c", "exec yes > big"])).limit).toBe("file size");
  expect(statSync(join(file.root, "big")).size).toBe(1024 * 1024);
});

test.skipIf(!hasBubblewrap)("processes are bounded in what a shell that waited becomes", async () => {
  const { end } = await warm({ maxPids: 64 });
  const many = "i=0; while [ $i -lt 99 ]; do sleep 600 & i=$((i + 1)); done; wait";

  expect((await end(["sh", "-c", many])).limit).toBe("processes");
});
