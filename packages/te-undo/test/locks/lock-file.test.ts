import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { perform, type Work } from "../../../te-path/src/kernel/syscalls.js";
import { look, take, type LockSite } from "../../src/locks/lock-file.js";
import { scratch } from "./scratch.js";

function site(): LockSite {
  const folder = scratch();
  const path = join(folder, "owner");
  writeFileSync(path, "");
  const { dev, ino } = statSync(path, { bigint: true });
  return { folder, owner: { path, dev, ino }, fateOf: () => "alive" };
}

/** What comes of it, and the calls that it made. */
function counted<T>(work: Work<T>): { value: T; calls: string[] } {
  const calls: string[] = [];
  let step = work.next();
  while (!step.done) {
    calls.push(step.value.name);
    try {
      step = work.next(perform(step.value));
    } catch (thrown) {
      step = work.throw(thrown);
    }
  }
  return { value: step.value, calls };
}

test("a free lock costs one call", () => {
  expect(counted(take(site(), "lock"))).toEqual({ value: true, calls: ["link"] });
});

test("a lock that a live process has is looked at once", () => {
  const where = site();
  writeFileSync(join(where.folder, "lock"), "another");
  const { value, calls } = counted(take(where, "lock"));
  expect([value, calls.filter((name) => name === "link" || name === "open")]).toEqual([false, ["link", "open"]]);
});

test("a file of the same number on another file system is another file", () => {
  const where = site();
  const own = counted(look(where, "owner")).value;
  const foreign = counted(look({ ...where, owner: { ...where.owner, dev: -1n } }, "owner")).value;
  expect([own, foreign]).toEqual(["mine", "alive"]);
});
