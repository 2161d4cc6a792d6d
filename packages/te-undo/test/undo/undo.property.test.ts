import { existsSync, readdirSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { plant } from "../../../te-path/test/tree.js";
import { begin, KINDS_OF_ACTS, NAMES, OWNER, perform, type Desk } from "./acts.js";
import { freshDesk, photograph } from "./desk.js";

const RUNS = process.env["LLMC_LONG"] === "1" ? 2000 : 50;
const act = fc.record({
  what: fc.nat(KINDS_OF_ACTS - 1),
  on: fc.constantFrom(...NAMES),
  to: fc.constantFrom(...NAMES),
  text: fc.constantFrom("", "1", "22", "large ".repeat(20_000)),
});

function sight(desk: Desk): unknown {
  return Object.entries(photograph(desk.root)).map(([path, { mode, owner, content }]) => [path, mode, owner, content]);
}

function planted(): Desk {
  const desk = freshDesk();
  plant(desk.root, { a: "a", "d/a": "da", "d/e/a": "dea", g: null });
  return desk;
}

test("whatever one change did is taken back, and done once more", { timeout: 900_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), async (acts) => {
      const desk = planted();
      const before = sight(desk);
      const change = desk.journal.begin({ ...OWNER, kind: "diff", paths: [] });
      for (const each of acts) await desk.run(perform(desk, change, each));
      const after = sight(desk);
      const { undo } = await desk.run(change.finish());
      if (undo === null) {
        expect(after).toEqual(before);
        return;
      }

      const undone = await desk.journal.undo(undo.id, OWNER);
      expect(sight(desk)).toEqual(before);
      if (undone.undo !== null) await desk.journal.undo(undone.undo.id, OWNER);
      expect(sight(desk)).toEqual(after);
    }),
    { numRuns: RUNS },
  );
});

test(
  "whatever one change did is rolled back, and nothing of it stays in the journal",
  { timeout: 900_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), fc.boolean(), async (acts, enabled) => {
        const desk = freshDesk({ enabled });
        plant(desk.root, { a: "a", "d/a": "da", "d/e/a": "dea", g: null });
        const before = sight(desk);
        const change = desk.journal.begin({ ...OWNER, kind: "diff", paths: [], allOrNothing: true });
        for (const each of acts) await desk.run(perform(desk, change, each));
        await desk.run(change.rollBack());
        expect(sight(desk)).toEqual(before);
        // Only which files were made anew, if any, is remembered.
        const left = existsSync(desk.dir) ? readdirSync(desk.dir).filter((name) => name !== "trash") : [];
        expect(left.filter((name) => !name.endsWith(".undone"))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  },
);

test("changes are taken back one after the other, to the first", { timeout: 900_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 10 }), async (acts) => {
      const desk = planted();
      const states: unknown[] = [];
      for (const each of acts) {
        const before = sight(desk);
        const change = begin(desk);
        await desk.run(perform(desk, change, each));
        if ((await desk.run(change.finish())).undo !== null) states.push(before);
      }
      for (const before of states.toReversed()) {
        await desk.journal.undoLast(OWNER);
        expect(sight(desk)).toEqual(before);
      }
    }),
    { numRuns: RUNS },
  );
});
