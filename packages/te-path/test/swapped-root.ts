import { readFileSync, readdirSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";
import { freshDir, plant } from "./tree.js";

// Two names that are sometimes what they seem and sometimes a link out: a folder, and a file.
const SWAPPER = `
const { renameSync } = require("node:fs");
const { workerData: { dir, shared } } = require("node:worker_threads");
const flags = new Int32Array(shared);
// What is raced may take a name away for a moment, or for good: then it is put back as it was.
const rename = (from, to) => { try { renameSync(dir + "/" + from, dir + "/" + to); } catch {} };
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

export interface SwappedRoot {
  readonly root: string;
  readonly outside: string;
  /** How often a name was swapped so far. */
  readonly swaps: () => number;
  /** What the outside has become; its own state is "secret=OUTSIDE". */
  readonly outsideNow: () => string;
}

/** A root in which another thread swaps a folder and a file with links out, as fast as it can. */
export function swappedRoot(): SwappedRoot {
  const base = plant(freshDir(), { "outside/secret": "OUTSIDE", "root/box/secret": "inside", "root/file": "inside" });
  plant(base, { "root/box.link": { to: "../outside" }, "root/file.link": { to: `${base}/outside/secret` } });
  const shared = new SharedArrayBuffer(8);
  const flags = new Int32Array(shared);
  const worker = new Worker(SWAPPER, { eval: true, workerData: { dir: `${base}/root`, shared } });
  onTestFinished(async () => {
    Atomics.store(flags, 0, 1);
    await new Promise((resolve) => worker.once("exit", resolve));
  });
  const outside = `${base}/outside`;
  return {
    root: `${base}/root`,
    outside,
    swaps: () => Atomics.load(flags, 1),
    outsideNow: () =>
      readdirSync(outside)
        .toSorted()
        .map((name) => (name === "secret" ? `secret=${readFileSync(`${outside}/secret`, "utf8")}` : name))
        .join(" "),
  };
}

/** In every run a short race; the long one, of ten seconds and ten thousand swaps, by LLMC_LONG=1. */
export const RACE = process.env["LLMC_LONG"] === "1" ? { seconds: 10, swaps: 10_000 } : { seconds: 1.5, swaps: 1500 };

/** Runs `attempt` over and over until time and swaps are enough; counts what came of it. */
export async function raceFor(
  { swaps }: Pick<SwappedRoot, "swaps">,
  attempt: (turn: number) => Promise<unknown>,
  hasSeenAll: () => boolean = () => true,
): Promise<{ done: number; refused: number }> {
  const end = performance.now() + RACE.seconds * 1000;
  let done = 0;
  let refused = 0;
  // On a busy machine until enough came through.
  const isEnough = () => performance.now() > end && swaps() > RACE.swaps && done > 20 && hasSeenAll();
  for (let turn = 0; !isEnough() && performance.now() < end + 60_000; turn++) {
    await attempt(turn).then(
      () => (done += 1),
      () => (refused += 1),
    );
    // Lets the thread's exit and timers through.
    if (turn % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return { done, refused };
}

/** Runs what must lose the race until it does. */
export async function raceUntilOutside(root: SwappedRoot, attempt: (turn: number) => void): Promise<string> {
  const end = performance.now() + 60_000;
  for (let turn = 0; performance.now() < end; turn++) {
    try {
      attempt(turn);
    } catch {
      // Refused, or lost its way.
    }
    if (turn % 50 === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      if (root.outsideNow() !== "secret=OUTSIDE") break;
    }
  }
  return root.outsideNow();
}
