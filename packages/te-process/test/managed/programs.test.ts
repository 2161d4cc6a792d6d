import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { awaited, drawScreen, keyNamed } from "../../src/index.js";
import { heard, KINDS, LONG_MS, SIZE, stage } from "./stage.js";

const has = (program: string): boolean => existsSync(`/usr/bin/${program}`);
for (const program of ["sqlite3", "vim.tiny", "script"])
  if (!has(program)) console.warn(`skipped: ${program} is not installed`);

test("bash: its prompt is known, errors and silence included", async () => {
  const { start } = await stage("off");
  const bash = await start("bash --norc -i");
  expect((await heard(bash)).why).toBe("prompt");

  for (const [line, text] of [
    ["echo one", "one\n"],
    ["true", ""],
    ["ls /nowhere", "No such file"],
    ["printf 'no line end'", "no line end"],
  ] as const) {
    const { at } = bash.send(`${line}\n`);
    const answer = await heard(bash, { from: at });
    expect([line, answer.why]).toEqual([line, "prompt"]);
    expect(answer.text).toContain(text);
  }
});

test.skipIf(!has("sqlite3"))("sqlite3: a statement of several lines is one answer", async () => {
  const { start } = await stage("off");
  const sqlite = await start("sqlite3 -interactive");
  expect((await heard(sqlite)).why).toBe("prompt");

  const { at } = sqlite.send("create table t (a,\n b);\ninsert into t values (1, 'x');\nselect a || b from t;\n");

  expect(await heard(sqlite, { from: at })).toEqual({ why: "prompt", text: expect.stringMatching(/1x\nsqlite> $/) });
});

test("node: its prompt is known, with and without a terminal", async () => {
  const { start } = await stage("off");
  for (const pty of [false, true]) {
    const node = await start("node -i", { pty });
    expect((await heard(node)).why).toBe("prompt");
    const { at } = node.send("[1, 2, 3].map((each) => each * 7)\n");
    expect((await heard(node, { from: at })).text).toContain("[ 7, 14, 21 ]");
  }
});

test("a prompt that nobody knows is learned from what stood there before the first input", async () => {
  const { start } = await stage("off");
  const program = `const lines = require("node:readline").createInterface({ input: process.stdin });
    let turn = 1; const ask = () => process.stdout.write("shop[" + turn++ + "]$$ ");
    lines.on("line", (line) => { console.log("got " + line); ask(); }); ask();`;
  const shop = await start(["node", "-e", program]);
  expect((await heard(shop, { endsAtQuiet: true })).why).toBe("quiet");

  const { at } = shop.send("bread\n");

  expect(await heard(shop, { from: at })).toEqual({ why: "prompt", text: "got bread\nshop[2]$$ " });
});

test("a program without a prompt that waits for its input is told by the kernel", async () => {
  const { start } = await stage("off");
  const cat = await start("cat");

  const { at } = cat.send("hello\n");

  expect(await heard(cat, { from: at })).toEqual({ why: "input", text: "hello\n" });
});

test("what is awaited ends the wait: a text, an expression; a pause before it does not", async () => {
  const { start } = await stage("off");
  const server = await start(["sh", "-c", "echo starting; sleep 0.7; echo 'listening on port 4711'; exec sleep 600"]);

  const { why, text } = await heard(server, { until: awaited("/port \\d+/") });

  expect([why, text]).toEqual(["matched", "starting\nlistening on port 4711\n"]);
  const early = await start(["sh", "-c", "echo one; echo two; exec sleep 600"]);
  expect((await heard(early, { until: awaited("two") })).why).toBe("matched");
  const never = await start("true");
  expect((await heard(never, { until: awaited("never") })).why).toBe("exit");
});

test("an expression that runs away is refused, and the server answers meanwhile", async () => {
  const { start } = await stage("off");
  const cat = await start("cat");
  cat.send(`${"a".repeat(60)}\n`);

  await expect(cat.wait({ ms: LONG_MS, until: awaited("/^(a+)+b/") })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining("50 ms"),
  });
  expect(() => awaited("/(/")).toThrow("Not a valid regular expression");
});

test("the end of a program is an answer, with its code, and what it printed can still be had", async () => {
  const { start, managed } = await stage("off");
  const failing = await start(["sh", "-c", "echo out; echo err >&2; exit 3"]);

  expect(await failing.wait({ ms: LONG_MS })).toBe("exit");
  expect([failing.state, failing.end]).toEqual(["exited", { exitCode: 3, signal: null }]);
  expect(failing.take({ maxBytes: 1000 }).text).toBe("out\nerr\n");
  expect(failing.take({ maxBytes: 1000 }).text).toBe("");
  expect(failing.take({ maxBytes: 1000, since: 4 }).text).toBe("err\n");
  expect(managed.find("me", failing.id)).toBe(failing);
});

test("nothing printed is waited for to the end of the time", async () => {
  const { start } = await stage("off");
  const silent = await start("sleep 600");

  expect(await silent.wait({ ms: 50 })).toBe("timeout");
});

test("each byte comes once, in pieces that an answer can hold; a place can be read again", async () => {
  const { start } = await stage("off");
  const printer = await start(["sh", "-c", "seq 1 20000"]);
  await printer.wait({ ms: LONG_MS, until: awaited("never") });

  let told = "";
  const places: number[] = [];
  for (;;) {
    const { text, next, lost } = printer.take({ maxBytes: 10_000 });
    expect(lost).toBe(0);
    if (text === "") break;
    expect(text.endsWith("\n")).toBe(true);
    told += text;
    places.push(next);
  }

  expect(told).toBe(Array.from({ length: 20_000 }, (_, at) => `${at + 1}\n`).join(""));
  expect(printer.take({ maxBytes: 10_000, since: 0 }).next).toBe(places[0]);
  expect(printer.take({ maxBytes: 1000, since: -6 }).text).toBe("20000\n");
});

test("characters are never split, however the program writes them", async () => {
  const { start } = await stage("off");
  const program = `const bytes = Buffer.from("ä漢🎉".repeat(50)); let at = 0;
    const next = () => { if (at < bytes.length) process.stdout.write(bytes.subarray(at, ++at), () => setImmediate(next)); };
    next();`;
  const slow = await start(["node", "-e", program]);

  let told = "";
  while (slow.state === "running" || slow.unread > 0) {
    await slow.wait({ ms: LONG_MS });
    told += slow.take({ maxBytes: 7 }).text;
  }

  expect(told).toBe("ä漢🎉".repeat(50));
});

test("a flood is held back: memory stays, the beginning is kept, what is gone is counted", async () => {
  const { start } = await stage("off");
  const before = process.memoryUsage().rss;
  const yes = await start(["sh", "-c", "exec yes 0123456789"]);
  await expect.poll(() => yes.unread, { timeout: LONG_MS }).toBeGreaterThan(8 * 1024 * 1024);

  const first = yes.take({ maxBytes: 1100 });
  const rest = yes.take({ maxBytes: 100_000, since: 64 * 1024 });

  expect(first.text).toBe("0123456789\n".repeat(100));
  expect(rest.lost).toBeGreaterThan(0);
  expect(rest.text).toMatch(/0123456789\n0123456789\n/);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  expect(await yes.stop(5000)).toEqual([]);
});

test(
  "500 MB that nobody reads come to their end, without being kept",
  async () => {
    const { start } = await stage("off");
    const bytes = 500 * 1024 * 1024;
    const printer = await start(["sh", "-c", `head -c ${bytes} /dev/zero | tr '\\0' x`]);

    while ((await printer.wait({ ms: LONG_MS, until: awaited("y") })) !== "exit");

    expect(printer.unread).toBe(bytes);
    expect(printer.take({ maxBytes: 10 }).text).toBe("xxxxxxxxxx");
    const behind = printer.take({ maxBytes: 10, since: 64 * 1024 });
    expect(behind.lost).toBe(bytes - 64 * 1024 - 1024 * 1024);
  },
  4 * LONG_MS,
);

test("a program that never reads is not fed without end", async () => {
  const { start } = await stage("off");
  const deaf = await start("sleep 600");

  expect(() => {
    for (let count = 0; count < 100; count += 1) deaf.send("x".repeat(100_000));
  }).toThrow(/bytes of input that it does not read/);
  expect(deaf.pendingInput).toBeLessThan(1_200_000);
  expect(await deaf.stop(5000)).toEqual([]);
});

test.skipIf(!has("vim.tiny"))("vim in a terminal: its screen as text, a file written by keys", async () => {
  const { start, root } = await stage("off");
  const vim = await start(["sh", "-c", "exec vim.tiny -u NONE note.txt"], { pty: true });
  await vim.wait({ ms: LONG_MS });

  vim.send("ihello from vim");
  await vim.press(keyNamed("esc"));
  await expect
    .poll(async () => (await drawScreen(vim.kept(), SIZE)).text, { timeout: LONG_MS })
    .toMatch(/^hello from vim\n~\n~/);
  vim.send(":wq\r");
  expect(await vim.wait({ ms: LONG_MS, until: awaited("/never/") })).toBe("exit");

  expect(existsSync(`${root}/note.txt`)).toBe(true);
  expect(vim.end).toMatchObject({ exitCode: 0 });
});

test("a terminal has its size, and a new one where we made it", async () => {
  const { start } = await stage("off");
  const shell = await start("bash --norc", { pty: true });
  await shell.wait({ ms: LONG_MS });
  expect(shell.resize(100, 30)).toBe(true);

  const { at } = shell.send("stty size\n");

  expect((await heard(shell, { from: at })).text).toContain("30 100");
});

test.skipIf(!has("script")).for(KINDS)(
  "without node-pty `script` makes the terminal; its size stays: %s",
  async (kind) => {
    const { start } = await stage(kind, { nodePty: false });
    const shell = await start("bash --norc", { pty: true });
    expect(await shell.wait({ ms: LONG_MS })).toBe("prompt");
    expect(shell.resize(100, 30)).toBe(false);

    const sized = shell.send("stty size; tty\n");
    expect((await heard(shell, { from: sized.at })).text).toMatch(/24 80\n\/dev\/pts/);
    shell.send(`sh -c 'echo be""gun; exec sleep 600'\n`);
    await shell.wait({ ms: LONG_MS, until: awaited("begun") });
    const pressed = await shell.press(keyNamed("ctrl-c"));
    expect((await heard(shell, { from: pressed.at })).why).toBe("prompt");
  },
);

test("ctrl-d ends the input; other keys mean nothing without a terminal", async () => {
  const { start } = await stage("off");
  const cat = await start("cat");
  cat.send("last");

  await expect(cat.press(keyNamed("up"))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await cat.press(keyNamed("ctrl-d"));

  expect(await heard(cat, { until: awaited("never") })).toEqual({ why: "exit", text: "last" });
  expect(() => keyNamed("ctrl-shift-x")).toThrow("is not a valid key");
  expect(keyNamed("C-c")).toEqual(keyNamed("Ctrl+C"));
});
