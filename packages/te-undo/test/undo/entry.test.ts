import { readFileSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readHead, readLog } from "../../src/store/entry-log.js";
import { createIds, isEntryId, timeOf } from "../../src/store/entry-id.js";
import { heldName, logName, parseName } from "../../src/store/entry-name.js";
import { freshDir, plant } from "../../../te-path/test/tree.js";
import { runHere } from "../../../te-path/test/run-here.js";
import { begin, changed, create, makeFolder, OWNER, rewrite } from "./acts.js";
import { freshDesk } from "./desk.js";

test("ids sort by the time at which they were made, also within a millisecond and when the clock goes back", () => {
  const times = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(times, fc.integer({ min: 1000, max: 4e12 }), (work, start) => {
      let now = start;
      const newId = createIds(() => now);
      const ids: string[] = [];
      for (const step of work) {
        now += step;
        ids.push(newId(), newId());
      }
      expect(ids.toSorted()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.every(isEntryId)).toBe(true);
      expect(timeOf(ids[0] ?? "")).toBe(start + (work[0] ?? 0));
    }),
  );
});

test("more ids than a millisecond can number go on in the next one", () => {
  const newId = createIds(() => 1000);
  const ids = Array.from({ length: 3000 }, newId);
  expect(ids.toSorted()).toEqual(ids);
  expect([timeOf(ids[1023] ?? ""), timeOf(ids[1024] ?? ""), timeOf(ids[2999] ?? "")]).toEqual([1000, 1001, 1002]);
});

test("every name in the folder says what it is, and foreign names are nothing", () => {
  const id = createIds(() => 1000)();
  const sum = "0123456789abcdef".repeat(4);
  expect(
    [
      logName(id, "open"),
      logName(id, "done"),
      logName(id, "undone"),
      heldName(id, `${sum}.12`),
      heldName(id, "kept-0.7"),
    ].map(parseName),
  ).toEqual([
    { id, part: "open", bytes: 0 },
    { id, part: "done", bytes: 0 },
    { id, part: "undone", bytes: 0 },
    { id, part: "content", bytes: 12 },
    { id, part: "kept", bytes: 7 },
  ]);
  for (const name of ["trash", `${id}.`, `${id}x`, `x${id}`, `${id}.${sum}`, `${id}.kept.1`, `${id}.open.1`, "U_", ""])
    expect(parseName(name)).toBeUndefined();
});

async function logOf(many: number): Promise<{ readonly bytes: Buffer; readonly path: string }> {
  const desk = freshDesk();
  const entries = Object.fromEntries(Array.from({ length: many }, (_, at) => [`f${at}`, `${at}\n`.repeat(at * 50)]));
  plant(desk.root, entries);
  const id = await changed(desk, function* (change) {
    for (const name of Object.keys(entries)) yield* rewrite(desk, change, name, "new");
    yield* makeFolder(desk, change, "d");
    yield* makeFolder(desk, change, "e");
    change.strike();
    change.note({ did: "set mode", path: "/x\xff\n", before: 1, after: 2 });
    change.amend({ did: "set mode", path: "/x\xff\n", before: 1, after: 3 });
  });
  const path = join(desk.dir, id);
  return { path, bytes: readFileSync(path) };
}

test("a log is read as it was written, content and all", async () => {
  const { bytes, path } = await logOf(20);
  const entry = await runHere(readLog(path));
  expect(entry?.head).toMatchObject({ version: 1, owner: "me", session: "s1", kind: "write", paths: [] });
  expect(entry?.steps).toHaveLength(22);
  expect(entry?.steps.at(-2)).toEqual({ did: "made folder", path: expect.stringMatching(/\/d$/) });
  expect(entry?.steps.at(-1)).toEqual({ did: "set mode", path: "/x\xff\n", before: 1, after: 3 });
  for (const [at, step] of entry?.steps.slice(0, 20).entries() ?? []) {
    const inline = entry?.inline.get(step.did === "rewrote" ? step.before.sha256 : "");
    expect(bytes.toString("utf8", inline?.at, (inline?.at ?? 0) + (inline?.size ?? 0))).toBe(`${at}\n`.repeat(at * 50));
  }
});

test("a log that ends anywhere is read up to there", async () => {
  const { bytes } = await logOf(5);
  const path = join(freshDir(), "log");
  writeFileSync(path, bytes);
  const whole = await runHere(readLog(path));
  let work = Number.POSITIVE_INFINITY;
  for (let length = bytes.length - 1; length >= 0; length--) {
    truncateSync(path, length);
    const entry = await runHere(readLog(path));
    if (length > bytes.indexOf("\n")) expect(entry?.head).toEqual(whole?.head);
    else expect(entry).toBeUndefined();
    expect(entry?.doneAt).toBeUndefined();
    const now = entry?.steps.length ?? 0;
    // Two steps are written that are then struck or amended.
    expect(now).toBeLessThanOrEqual(work + 1);
    work = now;
  }
});

test("what is no log of ours is none, whatever it holds", async () => {
  const path = join(freshDir(), "log");
  const contents = ["", "\n", "{}\n", "null\n", '{"head":{"version":2}}\n', '{"step":{}}\n', "x".repeat(100_000)];
  for (const content of contents) {
    writeFileSync(path, content);
    expect(await runHere(readLog(path))).toBeUndefined();
    expect(await runHere(readHead(path))).toBeUndefined();
  }
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (content) => {
      writeFileSync(path, content);
      expect(await runHere(readLog(path))).toBeUndefined();
    }),
    { numRuns: 100 },
  );
});

test("a line longer than a look into the log is read as well", async () => {
  const desk = freshDesk();
  const long = Array.from({ length: 50 }, (_, at) => `${at}`.repeat(5000));
  const change = begin(desk, { paths: long });
  await desk.run(create(desk, change, "a", "1"));
  const { undo } = await desk.run(change.finish());
  const [listed] = await desk.journal.list(OWNER.owner, 1);
  const id = undo?.id ?? "";
  expect(listed).toEqual({ id, kind: "write", paths: long.slice(0, 20), at: timeOf(id), isBegun: false });
  expect((await desk.journal.undoLast(OWNER)).undone).toHaveLength(1);
});

test("an entry is one file while its content is small", async () => {
  const desk = freshDesk();
  plant(desk.root, { a: Buffer.alloc(40_000, "x") });
  const id = await changed(desk, (change) => rewrite(desk, change, "a", "1"));
  expect(readdirSync(desk.dir)).toEqual([id, "trash"]);
});
