import { copyFileSync, existsSync } from "node:fs";
import { expect, test } from "vitest";
import { awaited } from "../../src/index.js";
import { heard, KINDS, LONG_MS, stage } from "./stage.js";

const HANDS = [false, true] as const;
const hasSqlite = existsSync("/usr/bin/sqlite3");
if (!hasSqlite) console.warn("skipped: sqlite3 is not installed");

test.for(HANDS)("terminal %s: two lines at once are both evaluated before the answer", async (pty) => {
  const { start } = await stage("off");
  const python = await start("python3 -i", { pty });
  await heard(python);

  const { at } = python.send(
    "import time; time.sleep(0.5); print('fir' + 'st')\ntime.sleep(0.5); print('sec' + 'ond')\n",
  );

  const { why, text } = await heard(python, { from: at });
  expect([why, text]).toEqual(["prompt", expect.stringMatching(/first\n[^]*second\n>>> $/)]);
});

test.for(HANDS)("terminal %s: a question is input, and the line after it is its answer", async (pty) => {
  const { start } = await stage("off");
  const python = await start("python3 -i", { pty });
  await heard(python);

  const asked = python.send(`name = input("na" + "me? ")\n`);
  expect(await heard(python, { from: asked.at })).toEqual({ why: "input", text: expect.stringMatching(/name\? $/) });
  const told = python.send("Ada\n");
  expect((await heard(python, { from: told.at })).why).toBe("prompt");
  const shown = python.send("name.upper()\n");
  expect((await heard(python, { from: shown.at })).text).toMatch(/'ADA'\n>>> $/);
});

test.for(HANDS)("terminal %s: what was begun and is not complete is input, not a prompt", async (pty) => {
  const { start } = await stage("off");
  const programs: readonly (readonly [string, string, RegExp])[] = [
    ["python3 -i", "def f():\n", /\.\.\. $/],
    ["node -i", "function f() {\n", /(\.\.\.|\|) $/],
    ["bash --norc -i", "for each in 1 2\n", /> $/],
    ...(hasSqlite ? ([["sqlite3 -interactive", "select 1,\n", /\.\.\.> $/]] as const) : []),
  ];
  for (const [command, line, more] of programs) {
    const program = await start(command, { pty });
    await heard(program);
    const { at } = program.send(line);
    expect([command, await heard(program, { from: at })]).toEqual([
      command,
      { why: "input", text: expect.stringMatching(more) },
    ]);
  }
});

test.for(HANDS)("terminal %s: a REPL in a REPL answers as one by itself", async (pty) => {
  const { start } = await stage("off");
  const bash = await start("bash --norc -i", { pty });
  await heard(bash);

  const inner = bash.send("python3 -i -q\n");
  expect(await heard(bash, { from: inner.at })).toEqual({ why: "prompt", text: expect.stringMatching(/>>> $/) });
  const slow = bash.send("import time; time.sleep(0.5); print('do' + 'ne')\n");
  expect((await heard(bash, { from: slow.at })).text).toMatch(/done\n>>> $/);
  const back = bash.send("exit()\n");
  expect(await heard(bash, { from: back.at })).toEqual({ why: "prompt", text: expect.stringMatching(/bash.*[#$] $/) });
});

test("a prompt in two pieces is one prompt, and a prompt that is printed is none", async () => {
  const { start } = await stage("off");
  const program = `
import sys, time
def say(text):
    sys.stdout.write(text); sys.stdout.flush()
say("shop")
time.sleep(0.5)
say("> ")
for line in iter(sys.stdin.readline, ""):
    say("shop> "); time.sleep(0.5); say("got " + line + "sh"); time.sleep(0.5); say("op> ")`;
  const shop = await start(["python3", "-c", program]);
  expect(await heard(shop)).toEqual({ why: "input", text: "shop> " });

  const { at } = shop.send("bread\n");

  expect(await heard(shop, { from: at })).toEqual({ why: "prompt", text: "shop> got bread\nshop> " });
});

test("a named time is not ended by silence; where none was named, silence answers until there is a prompt", async () => {
  const { start } = await stage("off");
  const script = "echo one; sleep 0.7; echo two; sleep 0.7; echo three";
  const build = await start(["sh", "-c", script]);
  expect(await heard(build)).toEqual({ why: "exit", text: "one\ntwo\nthree\n" });

  const server = await start(["sh", "-c", "echo ready; exec sleep 600"]);
  expect(await heard(server, { endsAtQuiet: true })).toEqual({ why: "quiet", text: "ready\n" });

  const python = await start("python3 -i");
  await heard(python, { endsAtQuiet: true });
  const { at } = python.send("import time; print('begun'); time.sleep(0.7); print('done')\n");
  const slow = await heard(python, { from: at, endsAtQuiet: true });
  expect(slow).toEqual({ why: "prompt", text: "begun\ndone\n>>> " });
});

test.for(KINDS)("%s: a line that prints nothing is answered as soon as it is done", async (kind) => {
  const { start } = await stage(kind);
  const shell = await start("bash --norc");
  expect(await heard(shell)).toEqual({ why: "input", text: "" });

  shell.send("sleep 0.5; x=1\n");
  expect(await heard(shell)).toEqual({ why: "input", text: "" });
  // Without new input there is nothing to tell.
  expect(await shell.wait({ ms: 50 })).toBe("timeout");
  const { at } = shell.send("echo $x\n");
  expect(await heard(shell, { from: at })).toEqual({ why: "input", text: "1\n" });
});

test("a command that takes no input is never ready for it, whatever it prints", async () => {
  const { managed, commands, root } = await stage("off");
  const launch = await commands.prepare({
    command: { argv: ["bash", "-c", "printf 'a$ '; sleep 0.7; echo done"] },
    use: "process",
    cwd: root,
    closed: { hidden: [], guarded: [], pinned: [] },
    session: { id: "me", agentId: "a", model: "m" },
  });
  if ("missing" in launch) throw new Error(launch.missing);
  const started = await launch.start({ stdin: "ignore" });

  const taken = managed.adopt({ owner: "me", command: "bash", cwd: root, launch, started, printed: [] });

  expect(await heard(taken)).toEqual({ why: "exit", text: "a$ done\n" });
});

test("a wait that was cancelled gives nothing away", async () => {
  const { start } = await stage("off");
  const clock = await start(["sh", "-c", "echo one; sleep 0.5; echo two; exec sleep 600"]);
  const cancel = new AbortController();
  const cancelled = clock.wait({ ms: LONG_MS, signal: cancel.signal });
  await clock.wait({ ms: LONG_MS, until: awaited("two") });
  cancel.abort();

  await expect(cancelled).rejects.toBe(cancel.signal.reason);
  expect(clock.take({ maxBytes: 100 }).text).toBe("one\ntwo\n");
});

test("a line editor that asks where its cursor stands is told", async () => {
  const { start } = await stage("off");
  const program = String.raw`
import os, re, tty
tty.setraw(0)
os.write(1, b"\r\n\r\nabc\x1b[6n")
said = b""
while not said.endswith(b"R"): said += os.read(0, 1)
os.write(1, b"\r\nat " + said[2:-1] + b"\r\n")`;
  const asking = await start(["python3", "-c", program], { pty: true });

  expect((await heard(asking)).text).toContain("at 3;4\n");
});

test("a program may have any name", async () => {
  const { start, root } = await stage("off");
  const named = `${root}/constructor`;
  copyFileSync("/bin/cat", named);
  const cat = await start(["sh", "-c", "exec ./constructor"]);

  const { at } = cat.send("hello\n");

  expect(await heard(cat, { from: at })).toEqual({ why: "input", text: "hello\n" });
});

test("how one ended is known for a while after it was removed, to its owner", async () => {
  const { start, managed } = await stage("off");
  const failing = await start(["sh", "-c", "exit 3"]);
  await failing.ended;
  managed.remove("me", failing.id);

  expect(managed.find("me", failing.id)).toBeUndefined();
  expect(managed.endOf("me", failing.id)).toEqual({ exitCode: 3, signal: null });
  expect(managed.endOf("other", failing.id)).toBeUndefined();
  for (let count = 0; count < 100; count += 1) {
    const { id, ended } = await start("true");
    await ended;
    managed.remove("me", id);
  }
  expect(managed.endOf("me", failing.id)).toBeUndefined();
  await managed.endOwner("me");
  expect(managed.endOf("me", failing.id)).toBeUndefined();
});

test.for(HANDS)("terminal %s: a loop that prints with pauses is one answer", async (pty) => {
  const { start } = await stage("off");
  const bash = await start("bash --norc -i", { pty });
  await heard(bash);

  const { at } = bash.send("for i in 1 2 3; do echo k$i; sleep 0.4; done\n");

  expect((await heard(bash, { from: at })).text).toMatch(/k1\nk2\nk3\n.*[#$] $/);
});
