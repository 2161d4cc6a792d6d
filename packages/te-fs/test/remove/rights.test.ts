import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundle, start } from "../child.js";
import { otherDisk } from "../../../te-path/test/other-disk.js";
import { snapshot } from "../../../te-path/test/snapshot.js";
import { plant } from "../../../te-path/test/tree.js";
import { workshop, type Workshop } from "../workshop.js";

/** What somebody whom modes stop is told. */
async function asNobody(
  { base, root }: Workshop,
  calls: readonly (readonly [path: string, options?: object])[],
): Promise<unknown[]> {
  const stateDir = join(base, "state");
  mkdirSync(stateDir);
  for (const path of [base, root, stateDir]) chownSync(path, 65534, 65534);
  const all = calls.map(([path, options]) => ["remove", [path], { recursive: true, ...options }]);
  const child = start(await bundle("work"), [JSON.stringify({ roots: [root], stateDir, uid: 65534, calls: all })]);
  return (await child.output)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

function listed(root: string): string[] {
  return Object.keys(snapshot(root)).toSorted();
}

const hint = expect.stringContaining("The server runs as uid 65534");

test("a folder that cannot be read or emptied is refused while all is whole", async ({ skip }) => {
  if (process.getuid?.() !== 0) return skip("modes stop only who is not root, and only root can become somebody else");
  const shop = workshop();
  const { root } = shop;
  plant(root, {
    "d/a": "1",
    "d/shut/b": "2",
    "e/a": "1",
    "e/blind/b": "2",
    "f/a": "1",
    "f/shut": null,
    "f/shut2": null,
  });
  plant(root, { "g/h/i": "", empty: null, "w/shut/x": "1" });
  const modes = {
    "d/shut": 0o555,
    "e/blind": 0o300,
    "f/shut": 0o555,
    "f/shut2": 0o555,
    g: 0o555,
    empty: 0o555,
    "w/shut": 0o555,
  };
  for (const [path, mode] of Object.entries(modes)) chmodSync(join(root, path), mode);
  execFileSync("chown", ["-R", "65534:65534", root]);
  const before = listed(root);
  const secure = { secure: true };
  const code = "PERMISSION_DENIED";
  expect(await asNobody(shop, [["d", secure], ["e"], ["g/h", secure], ["f", secure], ["empty"], ["w"]])).toEqual([
    {
      code,
      message: `No permission for ${root}/d/shut`,
      hint: "The folder is not writable, so nothing in it can be deleted.",
    },
    { code, message: `No permission for ${root}/e/blind`, hint },
    { code, message: `No permission for ${root}/g/h`, hint },
    // An empty folder has nothing that would have to be taken out of it.
    expect.objectContaining({ removed: 4 }),
    // Renamed it cannot be.
    expect.objectContaining({ removed: 1, undo: null, undo_reason: "it could not be moved into the undo store" }),
    // Renamed as a part of what is around it, it can.
    expect.objectContaining({ removed: 3, undo: expect.any(Object) }),
  ]);
  expect(listed(root)).toEqual(before.filter((path) => !/^(f|empty|w)(\/|$)/.test(path)));
});

test("where a removal from another disk ends half-way the whole copy is kept, and its id told", async ({ skip }) => {
  const shop = workshop();
  const disk = otherDisk(`${shop.root}/disk`, skip);
  plant(disk, { "d/mine": "1", "d/t/theirs": "2", "e/t/theirs": "3" });
  execFileSync("chown", ["65534:65534", disk, `${disk}/d`, `${disk}/d/mine`, `${disk}/e`]);
  // Folders that everybody may write to, and in which each removes only his own.
  for (const path of ["d/t", "e/t"]) chmodSync(join(disk, path), 0o1777);
  const { ino } = lstatSync(join(disk, "e"));
  const [said, refused] = await asNobody(shop, [["disk/d"], ["disk/e"]]);
  expect(said).toMatchObject({
    code: "PERMISSION_DENIED",
    message: `No permission for ${disk}/d/t/theirs; 1 of 4 entries are gone`,
    details: { removed: 1, undo: { id: expect.any(String) } },
  });
  expect(listed(disk)).toEqual(["d", "d/t", "d/t/theirs", "e", "e/t", "e/t/theirs"]);
  // Where nothing is gone yet all stays as it was, and nothing is kept.
  expect(refused).toEqual({ code: "PERMISSION_DENIED", message: `No permission for ${disk}/e/t/theirs`, hint });
  expect(lstatSync(join(disk, "e")).ino).toBe(ino);
  const entries = new Set(
    readdirSync(join(shop.base, "state/undo")).flatMap((name) => /^U_[^.]+/.exec(name)?.[0] ?? []),
  );
  expect(entries.size).toBe(1);
});
