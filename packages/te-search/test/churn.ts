import { Worker } from "node:worker_threads";

const CHURN = `
const { mkdirSync, rmSync, writeFileSync } = require("node:fs");
const { workerData: { root, shared } } = require("node:worker_threads");
const flags = new Int32Array(shared);
for (let turn = 0; Atomics.load(flags, 0) === 0; turn += 1) {
  const folder = root + "/comes" + (turn % 5);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder + "/deep", { recursive: true });
  writeFileSync(folder + "/x", "needle\\n");
  writeFileSync(folder + "/deep/y", "needle\\nneedle\\n");
}
`;

/** Folders with hits come and go below the root, as fast as another thread can do it. */
export function churn(root: string): () => Promise<void> {
  const flags = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(CHURN, { eval: true, workerData: { root, shared: flags.buffer } });
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  return () => {
    Atomics.store(flags, 0, 1);
    return ended;
  };
}
