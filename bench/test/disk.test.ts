import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { isInMemory, onDisk } from "../src/measure/disk.js";

const MEMORY = "/dev/shm";
const HERE = import.meta.dirname;
const canTell = existsSync(MEMORY) && isInMemory(MEMORY) && !isInMemory(HERE);
if (!canTell) console.log(`skipped: ${MEMORY} is no tmpfs, or this folder lies in memory as well`);

test.skipIf(!canTell)("the first folder that lies on a disk is taken", () => {
  expect(onDisk([MEMORY, "/nowhere/at/all", HERE, "/"])).toBe(HERE);
});

test("where none lies on a disk the first is taken", () => {
  expect(onDisk(["/nowhere/at/all", "/nor/here"])).toBe("/nowhere/at/all");
});
