import { findSearchRoot } from "../../src/search-root/find-search-root.js";
import { lookIntoFiles } from "../../src/walk/look-into-files.js";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { link, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freshDir } from "../../../te-path/test/tree.js";
import { filesIn } from "../../../te-fs/test/files.js";

test("what a file holds is seen by its first 8 KiB: a NUL byte makes it binary, unless it is UTF-16", async () => {
  const root = freshDir();
  const contents: Record<string, Uint8Array> = {
    text: Buffer.from("text\n"),
    empty: Buffer.alloc(0),
    last: Buffer.concat([Buffer.alloc(8191, "x"), Buffer.of(0)]),
    beyond: Buffer.concat([Buffer.alloc(8192, "x"), Buffer.of(0)]),
    marked: Buffer.of(0xef, 0xbb, 0xbf, 0x61),
    little: Buffer.of(0xff, 0xfe, 0x61, 0),
    big: Buffer.of(0xfe, 0xff, 0, 0x61),
  };
  for (const [name, bytes] of Object.entries(contents)) await writeFile(join(root, name), bytes);
  await symlink(join(root, "last"), join(root, "link"));
  const files = filesIn(root);
  const ways = [...Object.keys(contents), "link", "gone", "no/folder", "text/below"];

  const texts = await lookIntoFiles(files.scope, await findSearchRoot(files.scope, root), ways);

  expect(Object.fromEntries(ways.map((way, index) => [way, texts[index]]))).toEqual({
    text: "plain",
    empty: "plain",
    last: "binary",
    beyond: "plain",
    marked: "UTF-8 mark",
    little: "UTF-16",
    big: "UTF-16",
    link: undefined,
    gone: undefined,
    "no/folder": undefined,
    "text/below": undefined,
  });
  expect(await lookIntoFiles(files.scope, await findSearchRoot(files.scope, join(root, "last")), [""])).toEqual([
    "binary",
  ]);
});

test("what is the server's own is not looked into, under its name or another one", async () => {
  const root = freshDir();
  await mkdir(join(root, "own"));
  await writeFile(join(root, "own/secret"), "a\0b");
  await writeFile(join(root, "other"), "a\0b");
  await link(join(root, "own/secret"), join(root, "second"));
  const files = filesIn(root, { privatePaths: [join(root, "own")] });
  const ways = ["own/secret", "second", "other"];
  expect(await lookIntoFiles(files.scope, await findSearchRoot(files.scope, root), ways)).toEqual([
    undefined,
    undefined,
    "binary",
  ]);
});

/** Holds a lease on the file it is given: whoever opens it without waiting is refused, though not for want of rights. */
const LEASE = `open(my $f, '+<', $ARGV[0]); $SIG{IO} = 'IGNORE'; fcntl($f, 1024, 1) or die; print "held\\n"; sleep 60;`;

test.skipIf(!existsSync("/usr/bin/perl"))(
  "a file that fails to open is unreadable, the others are looked into",
  async () => {
    const root = freshDir();
    await writeFile(join(root, "held"), "text");
    await writeFile(join(root, "free"), "text");
    const holder = spawn("/usr/bin/perl", ["-e", `$| = 1; ${LEASE}`, join(root, "held")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void holder.kill("SIGKILL"));
    await once(holder.stdout, "data");

    const files = filesIn(root);
    const texts = await lookIntoFiles(files.scope, await findSearchRoot(files.scope, root), ["held", "free"]);

    expect(texts).toEqual(["unreadable", "plain"]);
  },
);
