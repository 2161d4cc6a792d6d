import { chmodSync, chownSync, linkSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundle, start } from "../child.js";
import { freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";

const me = { owner: "me", session: "s1" };
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

interface Answer {
  readonly code?: string;
  readonly undone?: readonly { readonly path: string; readonly how: string }[];
  readonly atomic?: boolean;
  readonly wasChanged?: boolean;
}

/** What the calls come to when nobody makes them; `$` in an argument is the root. */
async function asNobody(
  root: string,
  calls: readonly (readonly [string, readonly string[], object])[],
): Promise<Answer[]> {
  const stateDir = join(freshDir(), "state");
  mkdirSync(stateDir);
  chownSync(stateDir, NOBODY, NOBODY);
  for (const folder of [root, join(root, ".."), join(stateDir, "..")]) chmodSync(folder, 0o755);
  const child = start(await bundle("work"), [JSON.stringify({ roots: [root], stateDir, uid: NOBODY, calls })]);
  return (await child.output)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
}

const FOLDERS = { "that takes no new file": 0o755, "that takes new files": 0o777, "that is sticky": 0o1777 } as const;

test.skipIf(!isRoot).each(Object.entries(FOLDERS))(
  "what was written into the file of somebody else, in a folder %s, is taken back in place",
  async (_, mode) => {
    const root = join(freshDir(), "root");
    plant(root, { "d/f": "old" });
    const path = join(root, "d/f");
    chmodSync(path, 0o666);
    chmodSync(join(root, "d"), mode);
    utimesSync(path, 1, 1);
    const { ino } = statSync(path);
    const [written, undone, again] = await asNobody(root, [
      ["write", ["d/f", "new"], { mode: "rewrite" }],
      ["undo", [], {}],
      ["write", ["d/f", "again"], { mode: "rewrite" }],
    ]);
    expect(written).toMatchObject({ atomic: false });
    expect(undone).toMatchObject({
      undone: [{ path, how: "has its old content, but not its old time (not permitted)" }],
    });
    // The undo was the session's own doing.
    expect(again).toMatchObject({ atomic: false, wasChanged: false });
    expect([statSync(path).ino, statSync(path).uid, readFileSync(path, "utf8")]).toEqual([ino, 0, "again"]);
  },
);

test.skipIf(!isRoot)("an owner that cannot be given back is told", async () => {
  const root = join(freshDir(), "root");
  plant(root, { "d/f": "old" });
  chmodSync(join(root, "d"), 0o777);
  chmodSync(join(root, "d/f"), 0o666);
  const answers = await asNobody(root, [
    ["remove", ["d/f"], {}],
    ["undo", [], {}],
    ["applyDiff", ["*** Begin Patch\n*** Delete File: d/f\n*** End Patch\n"], { maxBytes: 1000 }],
    ["undo", [], {}],
  ]);
  // Kept by its name it comes back as it was; kept by its content it is another file.
  expect(answers.flatMap(({ undone }) => undone?.map(({ how }) => how) ?? [])).toEqual([
    "is back",
    "is back, but not its old owner (not permitted)",
  ]);
});

test("other hard links that a change has cut off stay so, and that is told", async () => {
  const base = freshDir();
  const root = join(base, "root");
  plant(root, { f: "old" });
  linkSync(join(root, "f"), join(root, "g"));
  const files = filesIn(root, { stateDir: join(base, "data") });
  await files.write("f", Buffer.from("new"), { ...me, mode: "rewrite" });
  const { undone } = await files.undo(undefined, me);
  expect(undone.map(({ how }) => how)).toEqual([
    "has its old content, as a file of its own: its other hard links were cut off by the change",
  ]);
  await files.write("g", Buffer.from("new"), { ...me, mode: "rewrite" });
  expect((await files.undo(undefined, me)).undone.map(({ how }) => how)).toEqual(["has its old content"]);
});

test("a file with holes has them again, in the journal and after the undo", async () => {
  const base = freshDir();
  const root = join(base, "root");
  mkdirSync(root);
  const path = join(root, "f");
  const [mib, size] = [2 ** 20, 32 * 2 ** 20];
  const fill = (): void => execFileSync("truncate", ["-s", String(size), path]) as unknown as void;
  writeFileSync(path, Buffer.alloc(mib, "x"));
  fill();
  // A second name keeps the journal from taking the file itself.
  linkSync(path, join(root, "second"));
  const files = filesIn(root, { stateDir: join(base, "data") });
  const used = (): number => Number(execFileSync("du", ["-sk", base], { encoding: "utf8" }).split("\t")[0]);
  const before = used();
  await files.write("f", Buffer.from("new"), { ...me, mode: "rewrite" });
  expect(used() - before).toBeLessThan(4 * 1024);
  await files.undo(undefined, me);
  expect(statSync(path).size).toBe(size);
  expect(statSync(path).blocks * 512).toBeLessThan(4 * mib);
  expect(readFileSync(path).equals(readFileSync(join(root, "second")))).toBe(true);
});
