import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { readBytes, readSlice, type Files } from "../src/index.js";
import { fuse, tableWith } from "../../te-path/test/fuse.js";
import { codeOf, failure, freshDir, plant } from "../../te-path/test/tree.js";
import { filesIn, slice, text, wide } from "./files.js";

test("on a network mount all answers are the same", async () => {
  const base = plant(freshDir(), {
    "root/net/a/f": "one\ntwo\n",
    "root/net/back": { to: "../local/f" },
    "root/local/f": "local\n",
    "root/local/in": { to: "../net/a/f" },
    "root/net/out": { to: "/etc/passwd" },
    "root/net/big": "0123456789\n".repeat(200_000),
    "root/net/d\\xff": "literal",
  });
  const files = filesIn(`${base}/root`, { mountinfo: tableWith(`${base}/root/net`) });
  const errors = await Promise.all(
    ["net/out", "net/none", "net/a", "net/a/f/x"].map((path) => codeOf(files.open(path))),
  );
  expect(errors).toEqual(["INVALID_PATH", "NOT_FOUND", "IS_DIRECTORY", "NOT_A_DIRECTORY"]);
  expect(await Promise.all(["net/a/f", "net/back", "local/in", "net/d\\xff"].map((path) => text(files, path)))).toEqual(
    ["one\ntwo\n", "local\n", "one\ntwo\n", "literal"],
  );
  const { content, totalLines, whole } = await slice(files, "net/big", {
    offsetLines: 150_000,
    maxLines: 2,
    keepWholeUpTo: 1e9,
  });
  expect([content, totalLines, whole?.length]).toEqual(["0123456789\n".repeat(2), 200_000, 2_200_000]);
  await using file = await files.open("net/big");
  expect(String(await readBytes(file, { offset: 11, length: 5 }))).toBe("01234");
  expect([await files.exists("net/a/f"), await files.exists("net/no")]).toEqual([true, false]);
});

test("a root on a network mount is opened when it is first used, through links too", async () => {
  const base = plant(freshDir(), { "net/real/f": "far", "net/link": { to: "real" } });
  const files = filesIn([`${base}/net/link`, `${base}/net/none`], { mountinfo: tableWith(`${base}/net`) });
  expect([files.roots.map(({ path }) => path), files.skipped]).toEqual([[`${base}/net/link`, `${base}/net/none`], []]);
  expect(await Promise.all(["f", "f", `${base}/net/link/f`].map((path) => text(files, path)))).toEqual([
    "far",
    "far",
    "far",
  ]);
  expect([
    files.roots[0]?.real,
    await text(files, `${base}/net/real/f`),
    await codeOf(files.open(`${base}/net/none/f`)),
  ]).toEqual([`${base}/net/real`, "far", "NOT_FOUND"]);
});

test("our own state on a network mount is closed there", async () => {
  const base = plant(freshDir(), { "net/state/db": "SECRET", "net/f": "x" });
  const { linkSync } = await import("node:fs");
  linkSync(`${base}/net/state/db`, `${base}/net/hard`);
  const files = filesIn(base, { mountinfo: tableWith(`${base}/net`), privatePaths: [`${base}/net/state`] });
  expect([
    await codeOf(files.open("net/state/db")),
    await codeOf(files.open("net/hard")),
    await text(files, "net/f"),
  ]).toEqual(["INVALID_PATH", "INVALID_PATH", "x"]);
});

/** How many descriptors of this process lead into a folder; threads have some of their own. */
function descriptorsIn(dir: string): number {
  return readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(dir);
    } catch {
      return false;
    }
  }).length;
}

async function codes(files: Files, count: number, path: string): Promise<string[]> {
  return await Promise.all(Array.from({ length: count }, () => codeOf(files.open(path))));
}

test("a mount that stops answering costs its own calls a timeout and no others anything, and is used again when it answers", async ({
  skip,
}) => {
  const { dir, mount, stop, resume } = await fuse(skip, { "sub/f": "far\n", other: "x" });
  writeFileSync(`${dir}/root/near`, "near\n");
  const files = filesIn(`${dir}/root`, { mountTimeoutMs: 150 });
  expect([await text(files, "mnt/sub/f"), await text(files, "near")]).toEqual(["far\n", "near\n"]);
  const before = descriptorsIn(dir);
  stop();
  // What the kernel still remembers needs no answer; a name it has not seen does.
  const hanging = codes(files, 6, "mnt/sub/unknown");
  expect(await text(files, "near")).toBe("near\n");
  expect(await hanging).toEqual(Array(6).fill("TIMEOUT"));
  expect(await failure(files.open("mnt/unknown"))).toMatchObject({ message: `the mount ${mount} does not answer` });
  expect([files.abandoned, await text(files, "near")]).toEqual([2, "near\n"]);
  resume();
  await vi.waitFor(() => expect(files.abandoned).toBe(0));
  expect(await text(files, "mnt/sub/f")).toBe("far\n");
  await vi.waitFor(() => expect(descriptorsIn(dir)).toBe(before));
});

test("a file that is open when its mount stops answering is given up in the middle of a read, and closed later", async ({
  skip,
}) => {
  const { dir, stop, resume } = await fuse(skip, { f: "line\n".repeat(2_000_000) });
  const files = filesIn(`${dir}/root`, { mountTimeoutMs: 150 });
  await text(files, "mnt/f");
  const before = descriptorsIn(dir);
  const file = await files.open("mnt/f");
  stop();
  expect(await codeOf(readSlice(file, wide))).toBe("TIMEOUT");
  await file.close();
  resume();
  await vi.waitFor(() => expect([files.abandoned, descriptorsIn(dir)]).toEqual([0, before]));
});

test("a cancelled call on such a mount ends at once", async ({ skip }) => {
  const { dir, stop, resume } = await fuse(skip, { f: "x" });
  const files = filesIn(`${dir}/root`, { mountTimeoutMs: 60_000 });
  await text(files, "mnt/f");
  stop();
  const abort = new AbortController();
  const opening = files.open("mnt/unknown", { signal: abort.signal });
  opening.catch(() => {});
  // It hangs in the kernel by the time another call has been made and answered.
  await codeOf(files.open("none"));
  abort.abort();
  expect(await codeOf(opening)).toBe("CANCELLED");
  resume();
  await vi.waitFor(() => expect(files.abandoned).toBe(0));
});

test("openFiles does not wait for a dead mount, not even for a root on it", async ({ skip }) => {
  const { dir, mount, stop, resume } = await fuse(skip, { "sub/f": "far\n" });
  writeFileSync(`${dir}/root/near`, "near\n");
  stop();
  const files = filesIn([`${dir}/root`, `${mount}/sub`], {
    mountTimeoutMs: 100,
    home: `${mount}/home`,
    deny: [".ssh"],
    privatePaths: [`${mount}/state`],
  });
  expect([files.roots.length, await text(files, "near"), await codeOf(files.open(`${mount}/sub/f`))]).toEqual([
    2,
    "near\n",
    "TIMEOUT",
  ]);
  resume();
  await vi.waitFor(() => expect(files.abandoned).toBe(0));
  expect(await text(files, `${mount}/sub/f`)).toBe("far\n");
});
