import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fold, type Logs } from "../../src/index.js";
import { fakeProgram, type Answer, type Fake } from "../fake-program.js";
import { HEALTHY, machine } from "../machine.js";

const RECORDED = readFileSync(join(import.meta.dirname, "../fixtures/journal-252.jsonl"), "utf8");
const BOOT = `${"a".repeat(31)}1`;

function journal(
  answers: readonly Answer[],
  more: { programTimeoutMs?: number; boot?: string } = {},
): { logs: Logs; fake: Fake } {
  const fake = fakeProgram("journalctl", answers);
  const { boot = BOOT, ...options } = more;
  const composed = machine({ proc: { ...HEALTHY.proc, "sys/kernel/random/boot_id": `${boot}\n` } }, {});
  const { system } = machine(HEALTHY, {
    path: fake.path,
    procRoot: join(composed.root, "proc"),
    root: composed.root,
    ...options,
  });
  return { logs: system.logs, fake };
}

const recorded = (): { logs: Logs; fake: Fake } => journal([{ when: "*", stdout: RECORDED }]);

test("the newest lines, oldest first, with where to go on", async () => {
  const { entries, cursor, hasMore, from } = await recorded().logs.read({ lines: 3 });

  expect(entries.map(({ source, pid, priority, message }) => [source, pid, priority, message])).toEqual([
    ["app", 7, 3, "connection to db-9 refused"],
    ["app", 7, 3, "connection to db-10 refused"],
    ["app", 7, 3, "connection to db-11 refused"],
  ]);
  expect([from, hasMore]).toEqual(["journal", true]);
  expect(cursor).toMatch(/;i=4d;/);
});

test("bytes that are no text, a message too long, and one of two lines", async () => {
  const { entries } = await recorded().logs.read({ lines: 100, grep: "odd bytes|too long|second line" });

  expect(entries.map(({ message }) => message)).toEqual([
    "odd bytes \ufffd\ufffd and a bell \u0007",
    "(too long for journalctl to show)",
    "first line\nsecond line",
  ]);
});

test("what is asked for becomes arguments, and never -n: with --since it takes the wrong end", async () => {
  const { logs, fake } = recorded();
  await logs.read({ lines: 5, unit: "nginx", sinceMs: 1_763_500_000_500, untilMs: 1_763_500_001_500, priority: 3 });
  await logs.read({ lines: 5, unit: "kernel" });

  const [first = "", second = ""] = fake.calls();
  expect(first).toMatch(/--reverse --since=@1763500000 --until=@1763500002 --priority=3 --unit=nginx\.service$/);
  expect(second).toMatch(/--reverse _TRANSPORT=kernel$/);
  expect(first).not.toMatch(/ -n/);
});

test("with a cursor it goes on forwards", async () => {
  const { logs, fake } = recorded();
  const { cursor } = await logs.read({ lines: 1 });
  const forwards = RECORDED.trim().split("\n").toReversed().join("\n");
  const next = journal([{ when: "*after-cursor*", stdout: forwards }]);
  const page = await next.logs.read({ lines: 2, cursor: cursor ?? "" });

  expect(page.entries.map(({ message }) => message.slice(0, 40))).toEqual([
    "Accepted publickey for deploy from 10.0.",
    "Accepted publickey for deploy from 10.0.",
  ]);
  expect(page.cursor).toMatch(/;i=2;/);
  expect(next.fake.calls()[0]).toContain(`--after-cursor=${cursor}`);
  expect(fake.calls()).toHaveLength(1);
});

test("a cursor of another boot, one that is none, and one that journalctl refuses", async () => {
  const { cursor } = await recorded().logs.read({ lines: 1 });
  const other = journal([{ when: "*", stdout: RECORDED }], { boot: "c".repeat(32) });
  const refusing = journal([{ when: "*", stderr: "Failed to seek to cursor: Invalid argument\n", exit: 1 }]);

  for (const [{ logs }, given] of [
    [other, cursor ?? ""],
    [recorded(), "--output=cat"],
    [refusing, cursor ?? ""],
  ] as const)
    await expect(logs.read({ lines: 1, cursor: given })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      remedy: { id: expect.stringMatching(/^(cursor-as-given|time-instead)$/) },
    });
});

test.for(["a;b", "../../etc/shadow", "--root=/x", "x y"])("%j is no unit, and nothing is started", async (unit) => {
  const { logs, fake } = recorded();

  await expect(logs.read({ lines: 1, unit })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  expect(() => fake.calls()).toThrow("ENOENT");
});

/** Composed: 50,000 entries, four of them rare. */
function large(): string {
  const lines = Array.from({ length: 50_000 }, (_, index) => {
    const rare = index % 12_500 === 77;
    return JSON.stringify({
      __CURSOR: `s=1;i=${index.toString(16)};b=${BOOT};m=1;t=1;x=1`,
      __REALTIME_TIMESTAMP: String((1_763_500_000 - index) * 1e6),
      SYSLOG_IDENTIFIER: "app",
      PRIORITY: rare ? "4" : "6",
      MESSAGE: rare
        ? `rare thing of kind ${"abcd"[Math.floor(index / 12_500)]}`
        : `request ${index} from 10.0.0.${index % 250} took ${index % 90} ms`,
    });
  });
  return `${lines.join("\n")}\n`;
}

test("50,000 entries become a template, and no rare line is lost", async () => {
  const { entries } = await journal([{ when: "*", stdout: large() }]).logs.read({ lines: 50_000 });
  const { verbatim, templates } = fold(entries);

  expect(entries).toHaveLength(50_000);
  expect(verbatim.map(({ message }) => message).toSorted()).toEqual(
    ["a", "b", "c", "d"].map((kind) => `rare thing of kind ${kind}`),
  );
  expect(templates).toMatchObject([
    { text: "request * from * took * ms", count: 49_996, source: "app", example: null },
  ]);
});

test("reading ends once there is enough: a journal of any size costs what is shown", async () => {
  const { logs } = journal([{ when: "*", stdout: large(), hangs: true }]);
  const { entries, hasMore } = await logs.read({ lines: 10 });

  expect([entries.length, hasMore]).toEqual([10, true]);
});

test("a line that was cut is counted, not invented; alone it is an error", async () => {
  const half = RECORDED.slice(0, RECORDED.indexOf("\n") + 50);
  const { entries, notes } = await journal([{ when: "*", stdout: half }]).logs.read({ lines: 5 });
  expect([entries.length, notes]).toEqual([1, ["1 lines of journalctl could not be read"]]);

  const alone = journal([{ when: "*", stdout: half.slice(-50) }]).logs.read({ lines: 5 });
  await expect(alone).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
    message: expect.stringContaining("ends in the middle"),
  });
});

test("journalctl fails, hangs before and after the first lines", async () => {
  const failing = journal([{ when: "*", stderr: "Failed to add filter\n", exit: 1 }]);
  await expect(failing.logs.read({ lines: 1 })).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
    message: expect.stringContaining("Failed to add filter"),
  });

  const silent = journal([{ when: "*", hangs: true }], { programTimeoutMs: 300 });
  await expect(silent.logs.read({ lines: 1 })).rejects.toMatchObject({ code: "TIMEOUT" });

  const half = journal([{ when: "*", stdout: RECORDED, hangs: true }], { programTimeoutMs: 1500 });
  const page = await half.logs.read({ lines: 1000 });
  expect([page.entries.length, page.notes]).toEqual([77, ["it took too long: these are the first hits"]]);
});

const REMOTE = "/usr/lib/systemd/systemd-journal-remote";
const canRecord = existsSync(REMOTE) && existsSync("/usr/bin/journalctl");
if (!canRecord) console.warn("skipped: there is no journalctl, or no systemd-journal-remote to write a journal with");

test.skipIf(!canRecord)("a real journal, by the real journalctl", async () => {
  const folder = mkdtempSync(join(tmpdir(), "te-system-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const entry = (index: number, unit: string, priority: number): string =>
    [
      `__REALTIME_TIMESTAMP=${1_763_500_000_000_000 + index * 1e6}`,
      `__MONOTONIC_TIMESTAMP=${index + 1}`,
      `_BOOT_ID=${BOOT}`,
      `PRIORITY=${priority}`,
      `SYSLOG_IDENTIFIER=${unit}`,
      `_SYSTEMD_UNIT=${unit}.service`,
      `MESSAGE=line ${index} of ${unit}`,
      "",
      "",
    ].join("\n");
  const entries = Array.from({ length: 20 }, (_, index) => entry(index, index % 2 === 0 ? "even" : "odd", index % 5));
  execFileSync(REMOTE, ["-o", join(folder, "system.journal"), "-"], {
    input: entries.join(""),
    stdio: ["pipe", "ignore", "ignore"],
  });
  const real = realJournal(folder);
  const messages = async (query: Parameters<Logs["read"]>[0]): Promise<string[]> =>
    (await real.read(query)).entries.map(({ message }) => message);
  expect(await messages({ lines: 2 })).toEqual(["line 18 of even", "line 19 of odd"]);
  expect(await messages({ lines: 2, unit: "even" })).toEqual(["line 16 of even", "line 18 of even"]);
  expect(await messages({ lines: 2, sinceMs: 1_763_500_005_000, untilMs: 1_763_500_010_000 })).toEqual([
    "line 9 of odd",
    "line 10 of even",
  ]);
  expect(await messages({ lines: 9, priority: 0 })).toEqual([
    "line 0 of even",
    "line 5 of odd",
    "line 10 of even",
    "line 15 of odd",
  ]);
  expect(await messages({ lines: 9, unit: "nobody" })).toEqual([]);
  const { cursor } = await real.read({ lines: 1, untilMs: 1_763_500_016_000 });
  expect(await messages({ lines: 2, cursor: cursor ?? "" })).toEqual(["line 17 of odd", "line 18 of even"]);
});

function realJournal(folder: string): Logs {
  const fake = fakeProgram("journalctl", []);
  const script = join(fake.folder, "journalctl");
  execFileSync("/bin/sh", [
    "-c",
    `printf '#!/bin/sh\\nexec /usr/bin/journalctl --directory=${folder} "$@"\\n' > "${script}"`,
  ]);
  const composed = machine({ proc: { ...HEALTHY.proc, "sys/kernel/random/boot_id": `${BOOT}\n` } });
  mkdirSync(join(composed.root, "run/log/journal/machine"), { recursive: true });
  return machine(HEALTHY, { path: fake.path, procRoot: join(composed.root, "proc"), root: composed.root }).system.logs;
}

test("a journalctl that says nothing has a journal, or there are files instead", async () => {
  const fake = fakeProgram("journalctl", [{ when: "*", stdout: "" }]);
  const { root } = machine(HEALTHY);
  mkdirSync(join(root, "var/log/journal"), { recursive: true });
  writeFileSync(join(root, "var/log/syslog"), "2026-01-31T10:00:00+00:00 box app: told\n");
  const { logs } = machine(HEALTHY, { path: fake.path, root }).system;

  expect((await logs.read({ lines: 5 })).entries.map(({ message }) => message)).toEqual(["told"]);
  mkdirSync(join(root, "var/log/journal/machine"));
  expect(await logs.read({ lines: 5 })).toMatchObject({ entries: [], from: "journal", cursor: null });
});
