import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";

// Two names that are sometimes what they seem and sometimes a link out: a folder, and a file.
const SWAPPER = `
const { renameSync } = require("node:fs");
const { workerData: { dir, shared } } = require("node:worker_threads");
const flags = new Int32Array(shared);
const rename = (from, to) => renameSync(dir + "/" + from, dir + "/" + to);
const swap = (name) => {
  rename(name, name + ".real");
  rename(name + ".link", name);
  Atomics.add(flags, 1, 1);
  rename(name, name + ".link");
  rename(name + ".real", name);
  Atomics.add(flags, 1, 1);
};
while (Atomics.load(flags, 0) === 0) { swap("box"); swap("file"); }
`;

export const INSIDE = "needle inside";
export const OUTSIDE = "needle OUTSIDE";
export const ONLY_OUTSIDE = "needle-outside";

export interface Swapped {
  readonly root: string;
  readonly swaps: () => number;
}

/** A root in which another thread swaps a folder and a file with links to a folder beside the root. */
export function swapped(): Swapped {
  const base = realpathSync(mkdtempSync(`${tmpdir()}/te-search-race-`));
  onTestFinished(() => void execFileSync("rm", ["-rf", "--one-file-system", base]));
  const root = `${base}/root`;
  mkdirSync(`${root}/box/deep`, { recursive: true });
  mkdirSync(`${base}/outside/deep`, { recursive: true });
  for (const [folder, text] of [
    ["root/box", INSIDE],
    ["outside", OUTSIDE],
  ] as const) {
    writeFileSync(`${base}/${folder}/needle`, `${text}\n`);
    writeFileSync(`${base}/${folder}/deep/needle`, `${text}\n`);
  }
  writeFileSync(`${base}/outside/${ONLY_OUTSIDE}`, `${OUTSIDE}\n`);
  writeFileSync(`${root}/file`, `${INSIDE}\n`);
  symlinkSync("../outside", `${root}/box.link`);
  symlinkSync("../outside/needle", `${root}/file.link`);
  const shared = new SharedArrayBuffer(8);
  const flags = new Int32Array(shared);
  const worker = new Worker(SWAPPER, { eval: true, workerData: { dir: root, shared } });
  onTestFinished(async () => {
    Atomics.store(flags, 0, 1);
    await new Promise((resolve) => worker.once("exit", resolve));
  });
  return { root, swaps: () => Atomics.load(flags, 1) };
}

/** In every run a short race; the long one, of ten seconds and ten thousand swaps, by LLMC_LONG=1. */
const RACE = process.env["LLMC_LONG"] === "1" ? { seconds: 10, swaps: 10_000 } : { seconds: 1, swaps: 1000 };
const LONGEST_MS = 60_000;
export const RACE_TIMEOUT = { timeout: 3 * LONGEST_MS };

/** Does it over and over until there were enough swaps and `isEnough` says so; counts what was done, and what was refused. */
export async function race(
  { swaps }: Swapped,
  attempt: (turn: number) => Promise<unknown>,
  isEnough: () => boolean,
): Promise<{ done: number; refused: number }> {
  const start = performance.now();
  let [done, refused] = [0, 0];
  for (let turn = 0; ; turn += 1) {
    const spent = performance.now() - start;
    const isOver = spent > RACE.seconds * 1000 && swaps() > RACE.swaps && done > 20 && isEnough();
    if (isOver || spent > LONGEST_MS) return { done, refused };
    await attempt(turn).then(
      () => (done += 1),
      () => (refused += 1),
    );
  }
}

/** Whether what is asked for the path, when it was judged to lie in the root, ever comes from outside. */
export function escapes({ root }: Swapped, ask: (path: string) => string): boolean {
  const end = performance.now() + LONGEST_MS;
  for (let turn = 0; performance.now() < end; turn += 1) {
    const path = `${root}/${turn % 2 === 0 ? "box" : "file"}`;
    try {
      if (!realpathSync(path).startsWith(`${root}/`)) continue;
      if (/outside/i.test(ask(path).replaceAll(root, ""))) return true;
    } catch {
      // It was moved away for a moment, or there is no match in it.
    }
  }
  return false;
}
