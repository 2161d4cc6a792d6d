import { readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { onOneProcessor } from "../src/measure/one-processor.js";

const allowed = () => /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync(`/proc/${process.pid}/status`, "utf8"))?.[1];
const available = spawnSync("taskset", ["--version"]).status === 0;
if (!available) console.log("skipped: there is no taskset here");

test.skipIf(!available)("work is done on one processor, and all are there again afterwards", async () => {
  const before = allowed();
  const [first] = before?.split(/[-,]/) ?? [];
  expect(await onOneProcessor(() => Promise.resolve(allowed()))).toBe(first);
  await expect(onOneProcessor(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(allowed()).toBe(before);
});
