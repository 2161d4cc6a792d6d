import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundle, start, type Child } from "../child.js";
import { otherDisk } from "../../../te-path/test/other-disk.js";
import { snapshot, type Facts } from "../../../te-path/test/snapshot.js";
import { freshDir } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";

const KILLS = process.env["LLMC_LONG"] === "1" ? 300 : 12;

function grow(dir: string): void {
  for (const folder of ["a", "a/b", "c"]) {
    mkdirSync(join(dir, folder), { recursive: true });
    for (let at = 0; at < 15; at++) writeFileSync(join(dir, folder, `${at}`), randomBytes(at * 10_000));
  }
}

/** Files alone: times of folders change as they are emptied. */
function contents(dir: string): Record<string, Facts> {
  try {
    return Object.fromEntries(Object.entries(snapshot(dir)).filter(([, { content }]) => content !== undefined));
  } catch {
    return {};
  }
}

function temporary(dir: string): string[] {
  return readdirSync(dir).filter((name) => !["t", "disk"].includes(name));
}

function movesDone({ process: { stdout } }: Child, wanted: number): Promise<void> {
  let done = 0;
  return new Promise((resolve) =>
    stdout?.on("data", (chunk: Buffer) => {
      done += chunk.toString().split("\n").length - 1;
      if (done >= wanted) resolve();
    }),
  );
}

test(
  "killed at any moment of a move between file systems, the source or the target is whole",
  { timeout: 600_000 },
  async ({ skip }) => {
    const base = freshDir();
    const root = join(base, "root");
    const disk = otherDisk(join(root, "disk"), skip);
    const stateDir = join(base, "data");
    const program = await bundle("work");
    let leftovers = 0;
    const [here, there] = [join(root, "t"), join(disk, "t")];
    const places = new Set<string>();
    for (let kill = 0; kill < KILLS; kill++) {
      for (const dir of [root, disk])
        for (const name of readdirSync(dir)) if (name !== "disk") rmSync(join(dir, name), { recursive: true });
      grow(here);
      const before = contents(here);
      const backAndForth = Array.from({ length: 500 }, (_, at) => [
        "move",
        at % 2 === 0 ? ["t", "disk"] : ["disk/t", "."],
        {},
      ]);
      const child = start(program, [JSON.stringify({ roots: [root], stateDir, calls: backAndForth })]);
      // On the way back, and on the way there again; the first of both as soon as that can be.
      await movesDone(child, 1 + (kill % 2));
      if (kill > 1) await new Promise((resolve) => setTimeout(resolve, (kill * 7919) % 61));
      await child.kill();
      leftovers += temporary(root).length + temporary(disk).length;
      // The next start.
      await filesIn(root, { stateDir, privatePaths: [stateDir] }).sweep();
      expect([kill, ...temporary(root), ...temporary(disk)]).toEqual([kill]);
      const [now, then] = [contents(here), contents(there)];
      const isWhole = [now, then].map((found) => JSON.stringify(found) === JSON.stringify(before));
      expect([kill, isWhole.includes(true)]).toEqual([kill, true]);
      places.add(isWhole.join());
    }
    // It was caught on the way there as well as on the way back.
    expect([places.size > 1, leftovers > 0]).toEqual([true, true]);
  },
);
