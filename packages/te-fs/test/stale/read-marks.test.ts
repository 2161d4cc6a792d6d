import { appendFileSync, chmodSync, linkSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createReadMarks, type FileState } from "../../src/stale/read-marks.js";
import { statOf } from "../../../te-path/test/run-here.js";
import { scratch } from "../../../te-undo/test/locks/scratch.js";

const limits = { maxPerOwner: 10, maxOwners: 10 };
const ms = (at: number): bigint => BigInt(at) * 1_000_000n;

/** Until the clock that files get their times from has moved on. */
async function tick(): Promise<void> {
  const probe = join(scratch(), "probe");
  writeFileSync(probe, "");
  const { mtimeNs } = statOf(probe);
  for (let now = mtimeNs; now <= mtimeNs + 20_000_000n; now = statOf(probe).mtimeNs) {
    await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(probe, "");
  }
}

interface Site {
  readonly path: string;
  readonly isStale: (session?: string) => boolean;
  readonly saw: (session?: string) => void;
  readonly marks: ReturnType<typeof createReadMarks>;
}

function site(): Site {
  const path = join(scratch(), "f");
  writeFileSync(path, "old");
  const marks = createReadMarks(limits);
  return {
    path,
    marks,
    isStale: (session = "me") => marks.isStale(session, path, statOf(path)),
    saw: (session = "me") => marks.saw(session, path, statOf(path)),
  };
}

/** What others do to a file, and whether that makes it another content. */
const DEEDS: readonly (readonly [string, boolean, (path: string) => void])[] = [
  ["nothing", false, () => {}],
  ["a look", false, (path) => void readFileSync(path)],
  ["a rewrite in place", true, (path) => writeFileSync(path, "new")],
  ["an append", true, (path) => appendFileSync(path, "more")],
  ["a new file in its place", true, (path) => (writeFileSync(`${path}.new`, "old"), renameSync(`${path}.new`, path))],
  [
    "a new file in its place with its time",
    true,
    (path) => {
      const { mtimeNs } = statOf(path);
      writeFileSync(`${path}.new`, "old");
      utimesSync(`${path}.new`, Number(mtimeNs) / 1e9, Number(mtimeNs) / 1e9);
      renameSync(`${path}.new`, path);
    },
  ],
  [
    "a rewrite that puts the time back",
    true,
    (path) => {
      writeFileSync(path, "new");
      utimesSync(path, 1_000_000, 1_000_000);
    },
  ],
  ["another mode", false, (path) => chmodSync(path, 0o600)],
  ["a second name", false, (path) => linkSync(path, `${path}.second`)],
];

test.each(DEEDS)("after %s by others, a file that was read is stale: %s", async (_, stale, deed) => {
  const { path, saw, isStale } = site();
  // A time that can be put back to the nanosecond.
  utimesSync(path, 1_000_000, 1_000_000);
  saw();
  await tick();
  deed(path);
  expect([isStale(), isStale("who never read it")]).toEqual([stale, false]);
});

test.each(DEEDS)("after %s by a command of the session itself the file is not stale", async (_, stale, deed) => {
  const { path, marks, saw, isStale } = site();
  utimesSync(path, 1_000_000, 1_000_000);
  saw();
  saw("another");
  await tick();
  const work = marks.ownWork("me");
  deed(path);
  const during = isStale();
  work[Symbol.dispose]();
  expect([during, isStale(), isStale("another")]).toEqual([false, false, stale]);
});

test.each(["before", "after"])("what others did %s the session's command counts", async (when) => {
  const { path, marks, saw, isStale } = site();
  saw();
  const work = (): void => marks.ownWork("me")[Symbol.dispose]();
  await tick();
  if (when === "after") work();
  await tick();
  writeFileSync(path, "new");
  await tick();
  if (when === "before") work();
  expect(isStale()).toBe(true);
});

test("a command's change stays its own when others change the mode later, and not when they rewrite it", async () => {
  const { path, marks, saw, isStale } = site();
  saw();
  {
    using _work = marks.ownWork("me");
    writeFileSync(path, "new");
  }
  const { mtimeNs } = statOf(path);
  await tick();
  chmodSync(path, 0o600);
  const refitted = isStale();
  chmodSync(path, 0o644);
  await tick();
  writeFileSync(path, "NEW");
  utimesSync(path, Number(mtimeNs) / 1e9, Number(mtimeNs / 1_000_000n) / 1e3);
  expect([refitted, isStale()]).toEqual([false, true]);
});

test("the state of a file from before its rename into place is the state that it has then", async () => {
  const { path, marks, isStale } = site();
  writeFileSync(`${path}.tmp`, "new");
  const state = statOf(`${path}.tmp`);
  await tick();
  renameSync(`${path}.tmp`, path);
  marks.saw("me", path, state);
  expect(isStale()).toBe(false);
});

test("what was forgotten, or never seen under that name, is not stale", async () => {
  const { path, marks, saw, isStale } = site();
  saw();
  await tick();
  appendFileSync(path, "more");
  const before = isStale();
  marks.forget("me", path);
  marks.forget("nobody", path);
  expect([before, isStale()]).toEqual([true, false]);
});

test("the last look counts", async () => {
  const { path, saw, isStale } = site();
  saw();
  await tick();
  appendFileSync(path, "more");
  saw();
  expect(isStale()).toBe(false);
});

const state: FileState = {
  dev: 1n,
  ino: 1n,
  size: 1n,
  mtimeNs: ms(1000),
  ctimeNs: ms(1000),
  mode: 0o100644n,
  uid: 1n,
  gid: 1n,
  nlink: 1n,
};

test.each(["dev", "ino", "size", "mtimeNs"] as const)("another %s is another file", (field) => {
  const marks = createReadMarks(limits);
  marks.saw("me", "/f", state);
  expect([marks.isStale("me", "/f", state), marks.isStale("me", "/f", { ...state, [field]: 2n })]).toEqual([
    false,
    true,
  ]);
});

test.each(["mode", "uid", "gid", "nlink"] as const)("another %s explains a later change", (field) => {
  const marks = createReadMarks(limits);
  marks.saw("me", "/f", state);
  const later = { ...state, ctimeNs: ms(Date.now() + 1000) };
  expect([marks.isStale("me", "/f", later), marks.isStale("me", "/f", { ...later, [field]: 2n })]).toEqual([
    true,
    false,
  ]);
});

test("where a file server's clock is ahead a later change alone says nothing", () => {
  const marks = createReadMarks(limits);
  const ahead = ms(Date.now() + 60_000);
  marks.saw("me", "/f", { ...state, ctimeNs: ahead });
  expect(marks.isStale("me", "/f", { ...state, ctimeNs: ahead + 1n })).toBe(false);
});

test("only so many files of so many sessions are remembered, those that were used last", () => {
  const marks = createReadMarks({ maxPerOwner: 2, maxOwners: 2 });
  const other = { ...state, size: 2n };
  const known = (session: string): string[] => ["/a", "/b", "/c"].filter((path) => marks.isStale(session, path, other));
  for (const path of ["/a", "/b"]) marks.saw("one", path, state);
  marks.isStale("one", "/a", state);
  marks.saw("one", "/c", state);
  const ofOne = known("one");
  marks.saw("two", "/a", state);
  marks.isStale("one", "/a", state);
  marks.saw("three", "/a", state);
  expect([ofOne, known("one"), known("two"), known("three")]).toEqual([["/a", "/c"], ["/a", "/c"], [], ["/a"]]);
});

test("asking about a session that nobody knows does not push out another", () => {
  const marks = createReadMarks({ maxPerOwner: 2, maxOwners: 1 });
  marks.saw("one", "/a", state);
  const answers = [marks.isStale("nobody", "/a", state), marks.isStale("one", "/a", { ...state, size: 2n })];
  expect(answers).toEqual([false, true]);
});
