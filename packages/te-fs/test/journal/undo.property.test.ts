import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Change } from "../../src/journal/journal.js";
import type { Steps } from "../../src/kernel/syscalls.js";
import { plant } from "../tree.js";
import {
  append,
  begin,
  copy,
  create,
  deleteFile,
  freshDesk,
  makeFolder,
  move,
  OWNER,
  photograph,
  remove,
  rewrite,
  setMode,
  type Desk,
} from "./desk.js";

const RUNS = process.env["LLMC_LONG"] === "1" ? 2000 : 50;
const NAMES = ["a", "b", "d", "d/a", "d/b", "d/e", "d/e/a", "d/e/f", "g", "g/a"];

interface Act {
  readonly what: number;
  readonly on: string;
  readonly to: string;
  readonly text: string;
}

const act = fc.record({
  what: fc.nat(8),
  on: fc.constantFrom(...NAMES),
  to: fc.constantFrom(...NAMES),
  text: fc.constantFrom("", "1", "22", "large ".repeat(20_000)),
});

/** One step, where it can be made; else nothing. */
function* perform(desk: Desk, change: Change, { what, on, to, text }: Act): Steps<unknown> {
  const kind = (name: string): string => {
    const names = name.split("/");
    const folders = names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join("/"));
    const isFolder = (path: string) => lstatSync(join(desk.root, path), { throwIfNoEntry: false })?.isDirectory();
    if (folders.some((each) => isFolder(each) !== true)) return "nowhere";
    const folder = isFolder(name);
    return folder === undefined ? "free" : folder ? "folder" : "file";
  };
  const [here, there] = [kind(on), kind(to)];
  const canMove = here !== "free" && here !== "nowhere" && there === "free" && !to.startsWith(`${on}/`);
  if (what === 0 && here === "free") return yield* create(desk, change, on, text);
  if (what === 1 && here === "free") return yield* makeFolder(desk, change, on);
  if (what === 2 && here === "file") return yield* rewrite(desk, change, on, text);
  if (what === 3 && here === "file" && text !== "") return yield* append(desk, change, on, text);
  if (what === 4 && here === "file") return yield* deleteFile(desk, change, on);
  if (what === 5 && (here === "file" || here === "folder")) return yield* remove(desk, change, on);
  if (what === 6 && canMove) return yield* move(desk, change, on, to);
  if (what === 7 && canMove) return yield* copy(desk, change, on, to);
  if (what === 8 && here === "file") return yield* setMode(desk, change, on, text === "" ? 0o600 : 0o755);
}

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
        expect(existsSync(desk.dir) ? readdirSync(desk.dir).filter((name) => name !== "trash") : []).toEqual([]);
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
