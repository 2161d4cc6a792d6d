import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Logs } from "../../src/index.js";
import { HEALTHY, machine } from "../machine.js";

/** No journalctl anywhere; the files are those of `root`. */
function box(files: Readonly<Record<string, string>>): { logs: Logs; root: string } {
  const root = mkdtempSync(join(tmpdir(), "te-system-logs-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "var/log"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, "var/log", name), text);
  return { root, logs: machine(HEALTHY, { path: "/nowhere", root }).system.logs };
}

const SYSLOG = `2026-01-31T10:00:00.123456+00:00 box sshd[77]: Accepted password for alice
2026-01-31T10:00:01+00:00 box kernel: [    1.2] EXT4-fs error (device sda1)
2026-01-31T10:00:02+00:00 box CRON[78]: (root) CMD (true)
what is no line of syslog
`;

test("without a journal it is the file that stands for it", async () => {
  const { logs, root } = box({ syslog: SYSLOG, messages: "never read\n" });
  const { entries, from, notes } = await logs.read({ lines: 100 });

  expect(from).toBe(join(root, "var/log/syslog"));
  expect(notes).toEqual([]);
  expect(entries).toEqual([
    {
      atMs: Date.UTC(2026, 0, 31, 10, 0, 0, 123),
      source: "sshd",
      pid: 77,
      priority: 6,
      message: "Accepted password for alice",
    },
    {
      atMs: Date.UTC(2026, 0, 31, 10, 0, 1),
      source: "kernel",
      pid: null,
      priority: 3,
      message: "[    1.2] EXT4-fs error (device sda1)",
    },
    { atMs: Date.UTC(2026, 0, 31, 10, 0, 2), source: "CRON", pid: 78, priority: 6, message: "(root) CMD (true)" },
    { atMs: null, source: "?", pid: null, priority: 6, message: "what is no line of syslog" },
  ]);
});

test("times without a year are the last such day", async () => {
  const now = new Date();
  const { logs } = box({ messages: "Dec 31 23:59:58 box app: late\nJan  1 00:00:01 box app: early\n" });
  const { entries } = await logs.read({ lines: 100 });

  for (const { atMs } of entries) {
    expect(atMs).toBeLessThanOrEqual(now.getTime() + 86_400_000);
    expect(atMs).toBeGreaterThan(now.getTime() - 367 * 86_400_000);
  }
});

test("by unit, time, words of a priority, and text", async () => {
  const { logs } = box({ syslog: SYSLOG });
  const sources = async (query: Partial<Parameters<Logs["read"]>[0]>): Promise<string[]> =>
    (await logs.read({ lines: 100, ...query })).entries.map(({ source }) => source);

  expect(await sources({ unit: "sshd.service" })).toEqual(["sshd"]);
  expect(await sources({ priority: 3 })).toEqual(["kernel"]);
  expect(await sources({ grep: "ACCEPTED|cmd" })).toEqual(["sshd", "CRON"]);
  expect(await sources({ sinceMs: Date.UTC(2026, 0, 31, 10, 0, 1) })).toEqual(["kernel", "CRON"]);
  expect(await sources({ untilMs: Date.UTC(2026, 0, 31, 10, 0, 1) })).toEqual(["sshd", "kernel"]);
  expect((await logs.read({ lines: 100, priority: 3 })).notes).toEqual([
    "the file has no priorities: they are told by words such as error and warning",
  ]);
  expect(await sources({ lines: 1 })).toEqual(["?"]);
});

test("a cursor goes on behind the last whole line, and knows a file that was rotated away", async () => {
  const { logs, root } = box({ syslog: SYSLOG });
  const file = join(root, "var/log/syslog");
  const { cursor } = await logs.read({ lines: 1 });
  appendFileSync(file, "2026-01-31T10:00:03+00:00 box app: new\n2026-01-31T10:00:04+00:00 box app: hal");
  const next = await logs.read({ lines: 10, cursor: cursor ?? "" });
  appendFileSync(file, "f\n");

  expect(next.entries.map(({ message }) => message)).toEqual(["new"]);
  expect((await logs.read({ lines: 10, cursor: next.cursor ?? "" })).entries.map(({ message }) => message)).toEqual([
    "half",
  ]);
  renameSync(file, `${file}.1`);
  writeFileSync(file, "");
  await expect(logs.read({ lines: 10, cursor: cursor ?? "" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("of a large file its end is read", async () => {
  const line = "2026-01-31T10:00:00+00:00 box app: 0123456789 0123456789 0123456789 0123456789 0123456789\n";
  const { logs } = box({ syslog: line.repeat(Math.ceil((17 * 1024 * 1024) / line.length)) });
  const { entries, notes, hasMore } = await logs.read({ lines: 3 });

  expect([entries.length, hasMore, notes]).toEqual([3, true, ["only the last 16 MB of it were looked at"]]);
});

test("a FIFO of that name does not hold anybody; nothing at all says what was looked for", async () => {
  const { logs, root } = box({});
  execFileSync("mkfifo", [join(root, "var/log/syslog")]);

  await expect(logs.read({ lines: 1 })).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
    message: expect.stringContaining(`${root}/var/log/messages`),
  });
});

test("the kernel's ring, where this user may read it", async ({ skip }) => {
  const { logs } = machine(HEALTHY, { path: "/nowhere" }).system;
  const page = await logs.read({ lines: 5, unit: "kernel" }).catch(() => undefined);
  if (page === undefined) skip("this user may not read /dev/kmsg");

  expect(page?.from).toBe("/dev/kmsg");
  expect(page?.entries.every(({ source, priority }) => source === "kernel" && priority !== null)).toBe(true);
});

test("since later than until is an error", async () => {
  const { logs } = box({ syslog: SYSLOG });

  await expect(logs.read({ lines: 1, sinceMs: 2, untilMs: 1 })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});
