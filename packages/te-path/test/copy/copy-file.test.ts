import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { OpsError } from "@llmc/errors";
import { open, type Syscall } from "../../src/kernel/syscalls.js";
import { copyFile, type CopyFileOptions } from "../../src/copy/copy-file.js";
import { LOOK } from "../../src/scope/root.js";
import { hold, runHere, runWatched } from "../run-here.js";
import { freshDir, plant } from "../tree.js";

const MiB = 1024 * 1024;

async function copying(content: Buffer, options: Partial<CopyFileOptions> = {}) {
  const dir = plant(freshDir(), { from: content });
  const folder = hold(dir);
  const entry = await runHere(open(null, join(dir, "from"), LOOK));
  const work = copyFile(
    entry,
    { folder, name: "to" },
    {
      shown: () => "~/from",
      durable: false,
      privileges: false,
      buffer: Buffer.alloc(MiB),
      progress: () => {},
      *judge() {},
      ...options,
    },
  );
  return { dir, steps: work };
}

test("how much of a large file is copied is told as it goes", async () => {
  const told: number[] = [];
  const { steps: work } = await copying(Buffer.alloc(3 * MiB + 5, 1), { progress: (bytes) => told.push(bytes) });
  await runHere(work);
  expect(told).toEqual([MiB, 2 * MiB, 3 * MiB, 3 * MiB + 5]);
});

test("a file that is cut in the middle of its copy is copied as it is then, and no longer", async () => {
  const { dir, steps: work } = await copying(Buffer.alloc(3 * MiB, 1));
  let reads = 0;
  runWatched(work, ({ name, into }: Syscall) => {
    if (name === "read" && into !== undefined && (reads += 1) === 3) truncateSync(join(dir, "from"), 10);
  });
  expect(readFileSync(join(dir, "to"))).toEqual(Buffer.alloc(10, 1));
});

test("a copy that does not have the bytes of its source is no copy", async () => {
  const { dir, steps: work } = await copying(Buffer.alloc(1000, 1));
  let writes = 0;
  const spoil = ({ name }: Syscall): void => {
    if (name === "write") writes += 1;
    else if (writes === 1) writeFileSync(join(dir, "to"), Buffer.alloc(1000, 2));
  };
  let thrown: unknown;
  try {
    runWatched(work, spoil);
  } catch (error) {
    thrown = error;
  }
  expect(OpsError.is(thrown) && { code: thrown.code, message: thrown.message }).toEqual({
    code: "WRITE_FAILED",
    message: "~/from could not be written: its copy does not have the same content",
  });
});
