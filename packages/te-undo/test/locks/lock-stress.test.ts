import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { LockFolder } from "../../src/locks/lock-folder.js";
import { scratch } from "./scratch.js";
import { bundled, run, type Running } from "./programs.js";

const COMPANY = 4;
const KILLS = 25;

/** The process that has the lock at the moment, by the lock's own word. */
function holderOf(dir: string): number | undefined {
  try {
    const [lock] = readdirSync(join(dir, "locks")).filter((name) => /^[0-9a-f]+$/.test(name));
    return Number(readFileSync(join(dir, "locks", lock ?? "none"), "latin1").split(" ")[2]);
  } catch {
    return undefined;
  }
}

test("no number is lost or given twice when processes that count under a lock are killed at any moment", async () => {
  const base = scratch();
  const [dir, list, program] = [join(base, "state"), join(base, "list"), await bundled("count")];
  writeFileSync(list, "0\n");
  const start = (): Running => run([process.execPath, program, dir, list]);
  const company = Array.from({ length: COMPANY }, start);
  await Promise.all(company.map((each) => each.says("ready")));
  let holders = 0;
  for (let killed = 0; killed < KILLS; killed++) {
    await sleep(Math.random() * 10);
    const holder = company.findIndex(({ child }) => child.pid === holderOf(dir));
    const victim = holder >= 0 && Math.random() < 0.8 ? holder : killed % COMPANY;
    if (victim === holder) holders += 1;
    const before = readFileSync(list, "latin1").length;
    // All others find the owner dead at the same moment.
    const others = company.filter((_, index) => index !== victim);
    for (const { child } of others) child.kill("SIGSTOP");
    await company[victim]?.kill();
    for (const { child } of others) child.kill("SIGCONT");
    company[victim] = start();
    await company[victim].says("ready");
    while (readFileSync(list, "latin1").length < before + 20) await sleep(1);
  }
  await Promise.all(company.map((each) => each.kill()));
  const numbers = readFileSync(list, "latin1").trimEnd().split("\n").map(Number);
  expect(numbers).toEqual(numbers.map((_, index) => index));
  // The race was run: often it was the owner who died, and the others went on counting.
  expect([holders > KILLS / 4, numbers.length > 4 * KILLS]).toEqual([true, true]);

  await new LockFolder(dir).sweep(new AbortController().signal);
  expect(readdirSync(join(dir, "locks")).filter((name) => !name.startsWith("owner"))).toEqual([]);
});
