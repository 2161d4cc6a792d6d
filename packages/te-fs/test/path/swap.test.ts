import { readFileSync, realpathSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { OpsError } from "@llmc/errors";
import { readBytes, type Files } from "../../src/index.js";
import { freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";

const SECONDS = 10;
const SWAPS = 10_000;

// Two names that are sometimes what they seem and sometimes a link out: a folder, and a file.
const SWAPPER = `
const { renameSync } = require("node:fs");
const { workerData: { dir, shared } } = require("node:worker_threads");
const flags = new Int32Array(shared);
const swap = (name) => {
  renameSync(dir + "/" + name, dir + "/" + name + ".real");
  renameSync(dir + "/" + name + ".link", dir + "/" + name);
  Atomics.add(flags, 1, 1);
  renameSync(dir + "/" + name, dir + "/" + name + ".link");
  renameSync(dir + "/" + name + ".real", dir + "/" + name);
  Atomics.add(flags, 1, 1);
};
while (Atomics.load(flags, 0) === 0) { swap("box"); swap("file"); }
`;

/** A root in which another thread swaps as fast as it can; `swaps` counts. */
function swappedRoot(): { root: string; swaps: () => number } {
  const base = plant(freshDir(), { "outside/secret": "OUTSIDE", "root/box/secret": "inside", "root/file": "inside" });
  plant(base, { "root/box.link": { to: "../outside" }, "root/file.link": { to: `${base}/outside/secret` } });
  const shared = new SharedArrayBuffer(8);
  const flags = new Int32Array(shared);
  const worker = new Worker(SWAPPER, { eval: true, workerData: { dir: `${base}/root`, shared } });
  onTestFinished(async () => {
    Atomics.store(flags, 0, 1);
    await new Promise((resolve) => worker.once("exit", resolve));
  });
  return { root: `${base}/root`, swaps: () => Atomics.load(flags, 1) };
}

interface Tally {
  inside: number;
  refused: number;
  outside: number;
  other: unknown[];
}

/** Reads both names over and over until `enough`. */
async function readWhile(read: (path: string) => Promise<string>, enough: (tally: Tally) => boolean): Promise<Tally> {
  const tally: Tally = { inside: 0, refused: 0, outside: 0, other: [] };
  for (let turn = 0; !enough(tally); turn++) {
    try {
      const content = await read(turn % 2 === 0 ? "box/secret" : "file");
      if (content === "inside") tally.inside += 1;
      else if (content === "OUTSIDE") tally.outside += 1;
      else tally.other.push(content);
    } catch (thrown) {
      if (isRefusal(thrown)) tally.refused += 1;
      else tally.other.push(thrown);
    }
    // Lets the thread's exit and timers through.
    if (turn % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return tally;
}

function isRefusal(thrown: unknown): boolean {
  if (OpsError.is(thrown)) return thrown.code === "INVALID_PATH" || thrown.code === "NOT_FOUND";
  return ["ENOENT", "EOUTSIDE"].includes((thrown as NodeJS.ErrnoException).code ?? "");
}

async function throughTheWalk(files: Files, path: string): Promise<string> {
  await using file = await files.open(path);
  return String(await readBytes(file, { offset: 0, length: 100 }));
}

/** What servers do that judge a string: it must lose, or this test proves nothing. */
async function realpathThenOpen(root: string, path: string): Promise<string> {
  const real = realpathSync(`${root}/${path}`);
  if (!real.startsWith(`${root}/`)) throw Object.assign(new Error("outside"), { code: "EOUTSIDE" });
  return readFileSync(`${root}/${path}`, "utf8");
}

test(
  "no read gets out of the root while folders and files in it are swapped with links",
  { timeout: 120_000 },
  async () => {
    const { root, swaps } = swappedRoot();
    const files = filesIn(root);
    const end = performance.now() + SECONDS * 1000;
    const tally = await readWhile(
      (path) => throughTheWalk(files, path),
      () => performance.now() > end && swaps() > SWAPS,
    );
    expect({ outside: tally.outside, other: tally.other }).toEqual({ outside: 0, other: [] });
    // Both sides of the race were met.
    expect([tally.inside > 100, tally.refused > 100]).toEqual([true, true]);
  },
);

test(
  "checking the real path and opening the path then does get out, so the swapping above is a real test",
  { timeout: 120_000 },
  async () => {
    const { root, swaps } = swappedRoot();
    const tally = await readWhile(
      (path) => realpathThenOpen(root, path),
      ({ outside }) => outside >= 10 || swaps() > 100 * SWAPS,
    );
    expect(tally.outside).toBeGreaterThanOrEqual(10);
  },
);
