import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { openFiles, readBytes, readSlice, type Files } from "../src/index.js";
import { freshDir, plant } from "../../te-path/test/tree.js";
import { wide } from "./files.js";

const descriptors = () => readdirSync("/proc/self/fd").length;

/** Every way in which a call can end. */
async function useAll(files: Files, root: string): Promise<string[]> {
  const signal = AbortSignal.abort();
  const paths = [
    "f",
    "d/f",
    "d/l",
    "d",
    "none",
    "none/f",
    "f/x",
    "f/",
    "out",
    "round",
    "pipe",
    "state/db",
    "~",
    "/etc",
    "a\0",
    "\\xff",
  ];
  const ends: string[] = [];
  for (const path of [...paths, "x".repeat(300), `${root}/d`]) {
    ends.push(await files.open(path).then((file) => file.close().then(() => "ok"), codeOf));
    ends.push(await files.exists(path).then(String, codeOf));
    ends.push(await files.open(path, { signal }).then((file) => file.close().then(() => "ok"), codeOf));
  }
  for (const path of ["f", "binary"]) {
    await using file = await files.open(path);
    ends.push(await readSlice(file, wide).then(() => "ok", codeOf));
    ends.push(await readBytes(file, { offset: 0, length: 1, signal: AbortSignal.abort() }).then(() => "ok", codeOf));
  }
  return ends;
}

const codeOf = (thrown: unknown) => (thrown as { code: string }).code;

function site(): string {
  const base = plant(freshDir(), {
    "root/f": "x\n",
    "root/d/f": "x\n",
    "root/d/l": { to: "../f" },
    "root/out": { to: "/etc/passwd" },
    "root/round": { to: "round" },
    "root/state/db": "SECRET",
    "root/binary": "\0",
  });
  execFileSync("mkfifo", [`${base}/root/pipe`]);
  return base;
}

test("no descriptor is left behind, whatever the end of a call, and none of ours after close", async () => {
  const base = site();
  const first = descriptors();
  const files = openFiles({ roots: [`${base}/root`], home: "/nonexistent-home", privatePaths: [`${base}/root/state`] });
  const open = descriptors();
  const ends = await useAll(files, `${base}/root`);
  expect(new Set(ends)).toEqual(
    new Set([
      "ok",
      "true",
      "false",
      "INVALID_PATH",
      "NOT_FOUND",
      "NOT_A_DIRECTORY",
      "IS_DIRECTORY",
      "CANCELLED",
      "UNSUPPORTED_CONTENT",
    ]),
  );
  expect(descriptors()).toBe(open);
  for (let turn = 0; turn < 20; turn++) await useAll(files, `${base}/root`);
  expect(descriptors()).toBe(open);
  files.close();
  expect(descriptors()).toBe(first);
});

test("nor on a network mount, nor when the root is replaced", async () => {
  const base = site();
  const table = `${base}/mountinfo`;
  writeFileSync(
    table,
    `${readFileSync("/proc/self/mountinfo", "latin1")}999 1 0:999 / ${base}/root rw - nfs4 s:/ rw\n`,
  );
  const first = descriptors();
  const files = openFiles({ roots: [`${base}/root`], home: "/nonexistent-home", mountinfo: table, maxAbandoned: 1 });
  await useAll(files, `${base}/root`);
  const open = descriptors();
  for (let turn = 0; turn < 3; turn++) await useAll(files, `${base}/root`);
  expect(descriptors()).toBe(open);
  renameSync(`${base}/root`, `${base}/old`);
  await useAll(files, `${base}/root`).catch(() => {});
  plant(base, { "root/f": "x\n", "root/binary": "\0" });
  await useAll(files, `${base}/root`);
  expect(descriptors()).toBe(open);
  files.close();
  // The thread ends on its own.
  await vi.waitFor(() => expect(descriptors()).toBe(first));
});

test("a file may outlive the files it was opened from", async () => {
  const root = plant(freshDir(), { f: "still here" });
  const first = descriptors();
  const files = openFiles({ roots: [root], home: "/nonexistent-home" });
  const file = await files.open("f");
  files.close();
  await expect(files.open("f")).rejects.toThrow("these files are closed");
  expect(String(await readBytes(file, { offset: 0, length: 20 }))).toBe("still here");
  await file.close();
  await file.close();
  expect(descriptors()).toBe(first);
});

test("a replaced file is let go of once the event loop turns, and few of them where it does not", async () => {
  const root = plant(freshDir(), { f: "0" });
  const files = openFiles({ roots: [root], home: "/nonexistent-home" });
  const who = { owner: "me", session: "me", mode: "rewrite" } as const;
  const write = (text: string) => files.write("f", Buffer.from(text), who);
  for (let turn = 0; turn < 50; turn++) await write(String(turn));
  await nextTurn();
  const open = descriptors();
  for (let turn = 0; turn < 50; turn++) await write(String(turn));
  expect(descriptors()).toBeLessThan(open + 10);
  await nextTurn();
  expect(descriptors()).toBe(open);
  files.close();
});
