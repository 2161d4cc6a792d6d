import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";
import { freshQuickDir } from "./other-disk.js";
import type { SwappedRoot } from "./swapped-root.js";
import { plant } from "./tree.js";

// A folder in the tree that is sometimes itself and sometimes a link out.
const SWAPPER = `
const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
const { workerData: { tree, outside, shared } } = require("node:worker_threads");
const flags = new Int32Array(shared);
const attempt = (work) => { try { work(); return true; } catch { return false; } };
while (Atomics.load(flags, 0) === 0) {
  if (!attempt(() => renameSync(tree + "/box", tree + "/aside"))) continue;
  attempt(() => symlinkSync(outside, tree + "/box"));
  Atomics.add(flags, 1, 1);
  attempt(() => unlinkSync(tree + "/box"));
  attempt(() => renameSync(tree + "/aside", tree + "/box"));
  Atomics.add(flags, 1, 1);
}
`;

export interface SwappedTree extends SwappedRoot {
  /** Makes the tree: `tree` with a few folders and files around the one that is swapped. */
  grow(): void;
  /** Removes what is left of it. */
  clear(): void;
}

/** A root with a tree in it, in the middle of which another thread swaps a folder with a link out. */
export function swappedTree(): SwappedTree {
  const base = plant(freshQuickDir(), { "outside/secret": "OUTSIDE", "root/x": "" });
  const [root, outside] = [`${base}/root`, `${base}/outside`];
  const shared = new SharedArrayBuffer(8);
  const flags = new Int32Array(shared);
  let turn = 0;
  const worker = new Worker(SWAPPER, { eval: true, workerData: { tree: `${root}/tree`, outside, shared } });
  onTestFinished(async () => {
    Atomics.store(flags, 0, 1);
    await new Promise((resolve) => worker.once("exit", resolve));
  });
  return {
    root,
    outside,
    swaps: () => Atomics.load(flags, 1),
    outsideNow: () =>
      readdirSync(outside)
        .toSorted()
        .map((name) => (name === "secret" ? `secret=${readFileSync(`${outside}/secret`, "utf8")}` : name))
        .join(" "),
    grow() {
      // Beside the swapping, and then into its reach in one step.
      const next = `${root}/next${(turn += 1)}`;
      for (const folder of ["a", "box/deep", "z"]) {
        mkdirSync(`${next}/${folder}`, { recursive: true });
        for (let at = 0; at < 20; at++) writeFileSync(`${next}/${folder}/${at}`, "inside");
      }
      writeFileSync(`${next}/box/secret`, "inside");
      renameSync(next, `${root}/tree`);
    },
    clear() {
      // What is left of the tree goes out of the reach of the swapping; its links are links by now.
      const old = `${root}/old${(turn += 1)}`;
      try {
        renameSync(`${root}/tree`, old);
      } catch {
        return;
      }
      rmSync(old, { recursive: true, force: true });
    },
  };
}
