import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { parseName } from "../../src/store/entry-name.js";
import { failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { bundled, run } from "../locks/programs.js";
import { OWNER, type Desk } from "./acts.js";
import { deskAt, photograph } from "./desk.js";

const KILLS = process.env["LLMC_LONG"] === "1" ? 300 : 15;
const HOUR = 3_600_000;

function sight(desk: Desk): unknown {
  return Object.entries(photograph(desk.root)).map(([path, { mode, owner, content }]) => [path, mode, owner, content]);
}

/** As the next start does, by the record of them. */
function sweepTemps(desk: Desk): void {
  for (const path of Object.keys(photograph(desk.root)))
    if (path.includes(".")) rmSync(join(desk.root, path), { force: true, recursive: true });
}

/** Takes back whatever can be, from the last change to the first. */
async function takeAllBack(desk: Desk, session: string): Promise<number> {
  for (let count = 0; ; count++) {
    const { code, message } = await failure(desk.journal.undoLast({ ...OWNER, session }));
    if (code === "NOT_FOUND") return count;
    expect(message).toBe("it did not fail");
  }
}

test("whenever it is killed, all that was changed can be taken back", { timeout: 600_000 }, async () => {
  const program = await bundled("../../undo/programs/change-for-ever");
  let taken = 0;
  for (let killed = 0; killed < KILLS; killed++) {
    const base = freshDir();
    plant(join(base, "root"), { a: "a", "d/a": "da", "d/e/a": "dea", g: null });
    const desk = deskAt(base, { maxBytes: 2 ** 40 });
    const before = sight(desk);
    const child = run([process.execPath, program, base, "session"]);
    await child.says("ready");
    await sleep(Math.random() * 100);
    await child.kill();
    sweepTemps(desk);

    await desk.journal.sweep();
    taken += await takeAllBack(desk, "session");
    expect(sight(desk)).toEqual(before);
    // Later on nothing lies there that no entry names.
    if (!existsSync(join(desk.dir, "trash"))) continue;
    const later = deskAt(base, { maxBytes: 2 ** 40, now: () => Date.now() + 2 * HOUR });
    await later.journal.sweep();
    const names = readdirSync(desk.dir).flatMap((name) => parseName(name) ?? []);
    const logs = new Set(names.filter(({ part }) => ["done", "undone"].includes(part)).map(({ id }) => id));
    expect(names.filter(({ id }) => !logs.has(id))).toEqual([]);
    expect(readdirSync(join(desk.dir, "trash"))).toEqual([]);
  }
  expect(taken).toBeGreaterThan(KILLS);
});
