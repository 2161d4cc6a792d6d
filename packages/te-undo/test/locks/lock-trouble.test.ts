import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createLocks, type OpenLocks } from "../../src/locks/locks.js";
import { LockFolder } from "../../src/locks/lock-folder.js";
import { ownMark } from "../../src/locks/process-mark.js";
import { bundled, run } from "./programs.js";
import { scratch } from "./scratch.js";

const plain = { shown: "f" };

function locksIn(dir: string): { locks: OpenLocks; problems: string[] } {
  const problems: string[] = [];
  const locks = createLocks({ dir, waitMs: 0, onProblem: (message) => problems.push(message) });
  onTestFinished(() => locks.close());
  return { locks, problems };
}

/** Whether a second one waits for the first. */
async function excludes(locks: OpenLocks): Promise<boolean> {
  const first = await locks.hold("key", plain);
  let hasSecond = false;
  const second = locks.hold("key", plain).then((lock) => {
    hasSecond = true;
    return lock;
  });
  await new Promise((resolve) => setImmediate(resolve));
  const waited = !hasSecond;
  await first[Symbol.asyncDispose]();
  await (await second)[Symbol.asyncDispose]();
  return waited;
}

function ownersIn(dir: string): string[] {
  const folder = join(dir, "locks");
  const isFolder = statSync(dir).isDirectory() && statSync(folder).isDirectory();
  return isFolder ? readdirSync(folder).filter((name) => name.startsWith("owner")) : [];
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each([
  ["the data dir is a file", (dir: string) => writeFileSync(dir, ""), "ENOTDIR"],
  [
    "a file has the place of the lock folder",
    (dir: string) => (mkdirSync(dir), writeFileSync(join(dir, "locks"), "")),
    "EEXIST",
  ],
  [
    "a folder has the place of the lock",
    (dir: string) => mkdirSync(join(dir, "locks", LockFolder.nameOf("key")), { recursive: true }),
    "EISDIR",
  ],
  [
    "a link has the place of the lock",
    (dir: string) => {
      mkdirSync(join(dir, "locks"), { recursive: true });
      symlinkSync("/etc/passwd", join(dir, "locks", LockFolder.nameOf("key")));
    },
    "ELOOP",
  ],
  [
    "a FIFO has the place of the lock",
    (dir: string) => {
      mkdirSync(join(dir, "locks"), { recursive: true });
      execFileSync("mkfifo", [join(dir, "locks", LockFolder.nameOf("key"))]);
    },
    "ESPIPE",
  ],
])("where %s the locks hold within the process, and that is said once", async (_, spoil, code) => {
  const dir = join(scratch(), "state");
  spoil(dir);
  const { locks, problems } = locksIn(dir);
  expect([await excludes(locks), await excludes(locks)]).toEqual([true, true]);
  await locks.sweep();
  expect(ownersIn(dir).length).toBeLessThanOrEqual(1);
  expect(problems).toEqual([
    expect.stringMatching(new RegExp(`^Locks hold within this server process only.*: ${code}`)),
  ]);
});

test("where nothing can be written no half of an owner's file stays, and the lock is had", async () => {
  const dir = scratch();
  const held = run([
    "/bin/sh",
    "-c",
    'ulimit -f 0; exec "$0" "$@"',
    process.execPath,
    await bundled("hold"),
    dir,
    "key",
  ]);
  expect(await held.says("ready")).toMatch(/^Locks hold within this server process only.*\nready\n$/);
  expect(readdirSync(join(dir, "locks"))).toEqual([]);
});

test("a lock that cannot be given back is said, and is no obstacle to the next one", async () => {
  const dir = scratch();
  const { locks, problems } = locksIn(dir);
  const lock = await locks.hold("key", plain);
  const path = join(dir, "locks", LockFolder.nameOf("key"));
  rmSync(path);
  mkdirSync(path);
  await lock[Symbol.asyncDispose]();
  const told = problems.length;
  expect([told, await excludes(locks), problems.length]).toEqual([1, true, 1]);
});

test("who could not take a lock does not take it from another when he is done", async () => {
  const dir = scratch();
  const { locks, problems } = locksIn(dir);
  await using _others = await createLocks({ dir, waitMs: 0 }).hold("key", plain);
  vi.spyOn(LockFolder.prototype, "take").mockImplementationOnce(() => {
    throw new Error("EMFILE");
  });
  const dropped = vi.spyOn(LockFolder.prototype, "drop");
  await (await locks.hold("key", plain))[Symbol.asyncDispose]();
  expect(dropped).not.toHaveBeenCalled();
  expect([problems.length, readdirSync(join(dir, "locks")).includes(LockFolder.nameOf("key"))]).toEqual([1, true]);
});

test("a lock folder that is gone by the end is no problem", async () => {
  const dir = scratch();
  const { locks, problems } = locksIn(dir);
  await (await locks.hold("key", plain))[Symbol.asyncDispose]();
  rmSync(join(dir, "locks"), { recursive: true });
  locks.close();
  expect(problems).toEqual([]);
});

test("without a data dir nothing is written", async () => {
  const locks = createLocks({ dir: null, waitMs: 0 });
  expect(await excludes(locks)).toBe(true);
  await locks.sweep();
  locks.close();
});

test("a sweep of a folder that is not there finds nothing to say", async () => {
  const { locks, problems } = locksIn(scratch());
  await locks.sweep();
  expect(problems).toEqual([]);
});

test("a sweep comes again when it could not tell at once, unless the server ends before", async () => {
  const dir = scratch();
  mkdirSync(join(dir, "locks"));
  const leave = (key: string): void =>
    writeFileSync(join(dir, "locks", LockFolder.nameOf(key)), ownMark().replace("pid:[", "pid:[1"));
  const left = (): number => readdirSync(join(dir, "locks")).filter((name) => !name.startsWith("owner")).length;
  leave("key");
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const { locks, problems } = locksIn(dir);
  const swept = locks.sweep();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  const before = left();
  await vi.advanceTimersByTimeAsync(10_000);
  await swept;
  const after = left();
  leave("other");
  const ended = locks.sweep();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  locks.close();
  await ended;
  expect([before, after, left(), problems]).toEqual([1, 0, 1, []]);
});

const canUnshare = spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "--kill-child", "true"]).status === 0;

test.skipIf(!canUnshare)("a server in another container is not taken for dead (needs unshare)", async () => {
  const dir = scratch();
  const inside = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", process.execPath] as const;
  const other = run([...inside, await bundled("hold"), dir, "key"]);
  await other.says("ready");
  const { locks } = locksIn(dir);
  const swept = locks.sweep();
  await expect(locks.hold("key", plain)).rejects.toMatchObject({ code: "WRITE_FAILED" });
  locks.close();
  await swept;
});
