import { constants, openSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Files } from "../../src/index.js";
import type { UndoNote } from "@llmc/te-undo";
import { raceFor, raceUntilOutside, swappedRoot } from "../../../te-path/test/swapped-root.js";
import { filesIn } from "../files.js";
import { OWNER } from "../../../te-undo/test/undo/acts.js";

const ESCAPED = Buffer.from("ESCAPED");

/** What servers do that judge a string: it must lose, or the race proves nothing. */
function judged(root: string, path: string): string {
  const real = realpathSync(dirname(`${root}/${path}`));
  if (real !== root && !real.startsWith(`${root}/`)) throw new Error("outside");
  return `${root}/${path}`;
}

/** Puts the folder that is swapped back as it was, wherever it is. */
function refiller(root: string): () => void {
  for (;;) {
    try {
      const box = openSync(`${root}/box.real`, constants.O_DIRECTORY | constants.O_RDONLY);
      return () => {
        for (const name of ["new", "folder", "moved"])
          rmSync(`/proc/self/fd/${box}/${name}`, { recursive: true, force: true });
        writeFileSync(`/proc/self/fd/${box}/secret`, "inside");
      };
    } catch {
      // Swapped away at the moment.
    }
  }
}

const CHANGES: Record<string, (files: Files) => Promise<UndoNote>> = {
  "a rewrite": (files) => files.write("box/secret", ESCAPED, { ...OWNER, mode: "rewrite" }),
  "a new file": (files) => files.write("box/new", ESCAPED, { ...OWNER, mode: "rewrite" }),
  "an append": (files) => files.write("box/secret", ESCAPED, { ...OWNER, mode: "append" }),
  "a new folder": (files) => files.makeFolders("box/folder", OWNER),
  "a move": (files) => files.move("box/secret", "box/moved", OWNER),
  "a copy": (files) => files.copy("box/secret", "box/moved", OWNER),
  "a removal": (files) => files.remove("box/secret", { ...OWNER, recursive: true }),
};

test("no undo ever leads out while the folder is swapped with a link", { timeout: 120_000 }, async () => {
  const root = swappedRoot();
  const stateDir = join(dirname(root.root), "state");
  const files = filesIn(root.root, { stateDir, privatePaths: [stateDir] });
  const refill = refiller(root.root);
  const all = Object.entries(CHANGES);
  const undone = new Map(all.map(([name]) => [name, 0]));
  let refusals = 0;
  const hasSeenAll = () => Math.min(...undone.values()) > 0 && refusals > 0;
  const attempt = async (turn: number): Promise<void> => {
    refill();
    const [name, change] = all[turn % all.length] as (typeof all)[number];
    const { undo } = await change(files);
    await files.undo(undo?.id, OWNER).then(
      () => undone.set(name, (undone.get(name) ?? 0) + 1),
      () => (refusals += 1),
    );
    // The change was made: what raceFor counts as done.
  };
  await raceFor(root, attempt, hasSeenAll);
  expect(root.outsideNow()).toBe("secret=OUTSIDE");
  expect(hasSeenAll()).toBe(true);
});

test("an undo after a look at the real path does lead out", { timeout: 120_000 }, async () => {
  const root = swappedRoot();
  const old = join(dirname(root.root), "old");
  const attempt = (): void => {
    writeFileSync(old, "old content");
    renameSync(old, judged(root.root, "box/secret"));
  };
  expect(await raceUntilOutside(root, attempt)).toBe("secret=old content");
});
