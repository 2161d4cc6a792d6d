import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesIn, freshDir } from "../tree.js";

test("a NUL byte in the first 8 KiB makes a file binary, unless it is UTF-16", async () => {
  const root = freshDir();
  const contents: Record<string, Uint8Array> = {
    text: Buffer.from("text\n"),
    empty: Buffer.alloc(0),
    last: Buffer.concat([Buffer.alloc(8191, "x"), Buffer.of(0)]),
    beyond: Buffer.concat([Buffer.alloc(8192, "x"), Buffer.of(0)]),
    little: Buffer.of(0xff, 0xfe, 0x61, 0),
    big: Buffer.of(0xfe, 0xff, 0, 0x61),
  };
  for (const [name, bytes] of Object.entries(contents)) await writeFile(join(root, name), bytes);
  await symlink(join(root, "last"), join(root, "link"));
  const files = filesIn(root);
  const ways = [...Object.keys(contents), "link", "gone", "no/folder", "text/below"];

  const binary = await files.binaryAmong(await files.ground(root), ways);

  expect(Object.fromEntries(ways.map((way, index) => [way, binary[index]]))).toEqual({
    text: false,
    empty: false,
    last: true,
    beyond: false,
    little: false,
    big: false,
    link: undefined,
    gone: undefined,
    "no/folder": undefined,
    "text/below": undefined,
  });
  expect(await files.binaryAmong(await files.ground(join(root, "last")), [""])).toEqual([true]);
});
