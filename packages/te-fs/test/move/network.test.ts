import { chmodSync, linkSync, lutimesSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tableWith } from "../../../te-path/test/fuse.js";
import { snapshot } from "../../../te-path/test/snapshot.js";
import { failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";

const me = { owner: "o", session: "s" };

test("on a network mount things are moved, copied and removed as they are elsewhere", async () => {
  const base = plant(freshDir(), {
    "root/net/d/a": "1",
    "root/net/d/e/f": "2".repeat(2_000_000),
    "root/net/d/l": { to: "a" },
    "root/net/x": "",
  });
  const [root, net] = [`${base}/root`, `${base}/root/net`];
  linkSync(join(net, "d/a"), join(net, "d/e/second"));
  chmodSync(join(net, "d/e"), 0o750);
  for (const path of ["d/l", "d/a", "d/e/f", "d/e", "d"]) lutimesSync(join(net, path), 1e9, 1e9 + 0.5);
  const before = snapshot(`${net}/d`);
  const files = filesIn(root, { mountinfo: tableWith(net) });
  expect(await files.copy("net/d", "net/copy", me)).toMatchObject({ copied: { entries: 6 } });
  expect(await files.copy("net/d", "here", me)).toMatchObject({ copied: { entries: 6 } });
  expect([snapshot(`${net}/copy`), snapshot(`${root}/here`)]).toEqual([before, before]);
  expect(await files.move("here", "net/back", me)).toMatchObject({ target: `${net}/back` });
  expect(await failure(files.move("net/x", "net/d/a", me))).toMatchObject({ code: "ALREADY_EXISTS" });
  expect(await files.move("net/x", "net/d/a", { ...me, overwrite: true })).toMatchObject({ replaced: true });
  expect(await failure(files.remove("net/d", me))).toMatchObject({ code: "IS_DIRECTORY" });
  const dry = await files.remove("net/d", { ...me, recursive: true, dryRun: true, maxListed: 9 });
  expect(dry.would?.names.toSorted()).toEqual(["a", "e/", "e/f", "e/second", "l"]);
  for (const name of ["d", "copy", "back"])
    expect(await files.remove(`net/${name}`, { ...me, recursive: true })).toMatchObject({ removed: 6 });
  expect(readdirSync(root, { recursive: true })).toEqual(["net"]);
});

test("a mount that is below what is removed or moved stops it, from whatever side", async () => {
  const base = plant(freshDir(), { "root/d/net/f": "1", "root/e": "" });
  const files = filesIn(`${base}/root`, { mountinfo: tableWith(`${base}/root/d/net`) });
  const answers = [
    await failure(files.remove("d", { ...me, recursive: true })),
    await failure(files.remove("d/net", { ...me, recursive: true })),
    await failure(files.move("d", "x", me)),
    await failure(files.copy("d", "x", me)),
  ];
  expect(answers.map(({ code }) => code)).toEqual(Array(4).fill("PERMISSION_DENIED"));
  expect(readdirSync(`${base}/root`, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
    "d",
    "d/net",
    "d/net/f",
    "e",
  ]);
});
